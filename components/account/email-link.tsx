'use client';

import { type ReactNode, useState } from 'react';
import type { EmailChangePreview } from '@/server/identity/email-change/schema';
import { CardPage } from '../shared/card-page';
import { errorText, trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { cn } from '../ui/cn';
import { Notice } from '../ui/notice';

interface EmailLinkProps {
  token: string;
  preview: EmailChangePreview;
}

/** The page of the link to the new address: opening it changes nothing, its button does. */
export function ConfirmEmail({ token, preview }: EmailLinkProps) {
  return (
    <EmailLink
      act={() => trpc.security.confirmEmailChange.mutate({ token })}
      title="Change your email"
      confirmLabel="Change email"
      doneTitle="Your email was changed"
      done="Other browsers were signed out, and sign-ins with GitHub or Google were disconnected."
    >
      <p className="text-muted">
        You will sign in as <Address>{preview.new_email}</Address> instead of{' '}
        <Address>{preview.old_email}</Address>. Other browsers are signed out, and sign-ins with GitHub or
        Google are disconnected.
      </p>
    </EmailLink>
  );
}

/** The page of the link to the old address, which stops a change or undoes it. */
export function UndoEmail({ token, preview }: EmailLinkProps) {
  const confirmed = preview.state === 'confirmed';
  return (
    <EmailLink
      act={() => trpc.security.undoEmailChange.mutate({ token })}
      title={confirmed ? 'Undo the change of your email' : 'Stop the change of your email'}
      confirmLabel={confirmed ? 'Undo the change' : 'Stop the change'}
      doneTitle={confirmed ? 'The change was undone' : 'The change was stopped'}
      done={
        confirmed
          ? 'Every browser was signed out. Sign in again, then check your keys and connected applications.'
          : 'If you did not request it, sign out all other browsers in the settings.'
      }
    >
      <p className="text-muted">
        You will sign in as <Address>{preview.old_email}</Address>
        {confirmed ? ' again, not as ' : ' as before, not as '}
        <Address>{preview.new_email}</Address>.
        {confirmed &&
          ' Every browser is signed out, and a second factor that was set up since the request is removed.'}
      </p>
    </EmailLink>
  );
}

interface EmailActProps {
  act: () => Promise<{ email: string }>;
  title: string;
  confirmLabel: string;
  doneTitle: string;
  done: string;
  children: ReactNode;
}

function EmailLink({ act, title, confirmLabel, doneTitle, done, children }: EmailActProps) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [email, setEmail] = useState<string | null>(null);

  async function confirm() {
    setBusy(true);
    try {
      setEmail((await act()).email);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  }

  if (email !== null)
    return (
      <CardPage title={doneTitle}>
        <p role="status" className="text-muted">
          You sign in as <Address>{email}</Address>. {done}
        </p>
        <a href="/dashboard/settings" className={cn(buttonClass({ variant: 'primary' }), 'self-start')}>
          Open settings
        </a>
      </CardPage>
    );
  return (
    <CardPage title={title}>
      {children}
      {problem && (
        <Notice tone="danger" live>
          {problem}
        </Notice>
      )}
      <Button variant="primary" size="lg" busy={busy} onClick={confirm}>
        {confirmLabel}
      </Button>
    </CardPage>
  );
}

function Address({ children }: { children: ReactNode }) {
  return <span className="font-medium text-ink [overflow-wrap:anywhere]">{children}</span>;
}

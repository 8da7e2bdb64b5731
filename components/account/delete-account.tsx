'use client';

import { useState } from 'react';
import { signOut } from '../shared/auth-client';
import { withProblemText } from '../shared/problem';
import { useBalance } from '../shared/queries';
import { trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { Button } from '../ui/button';
import { Card, CardBody, CardHeader } from '../ui/card';
import { Field } from '../ui/field';
import { Input } from '../ui/input';
import { formatCents } from '../ui/money';
import { CodeField } from './code-field';

interface DeleteAccountProps {
  email: string;
  /** Whether a code is asked for. */
  factor: boolean;
}

export function DeleteAccount({ email, factor }: DeleteAccountProps) {
  const [typed, setTyped] = useState('');
  const [code, setCode] = useState('');
  const { data } = useBalance(undefined);
  const balance = data?.available_usd;
  const teams = data?.accounts.filter(({ type }) => type === 'team') ?? [];

  async function confirm() {
    if (typed.trim().toLowerCase() !== email.toLowerCase())
      throw new Error(`Email: enter ${email} to confirm that you want to delete this account.`);
    if (factor && code.trim() === '')
      throw new Error('Code: enter the code of your app, or a recovery code.');
    await withProblemText(trpc.auth.deleteAccount.mutate(factor ? { code: code.trim() } : {}));
    // The account is gone already, so a failure to end its session is none of the deletion.
    await signOut('/goodbye').catch(() => window.location.assign('/goodbye'));
  }

  return (
    <Card className="border-danger/40">
      <CardHeader title="Delete account" />
      <CardBody className="flex flex-wrap items-center justify-between gap-4">
        <p className="max-w-md text-muted text-sm">
          All your keys and connected applications stop working at once, and remaining credit is lost. Your
          name and email are deleted; issued invoices and anonymised transaction records are kept.
        </p>
        <AlertDialog
          trigger={<Button variant="danger">Delete account</Button>}
          onOpenChange={(open) => {
            if (open) return;
            setTyped('');
            setCode('');
          }}
          title={`Delete the account of ${email}?`}
          consequence={
            <div className="flex flex-col gap-4">
              <ul className="list-disc space-y-1 pl-5">
                <li>All your keys stop working from their next request.</li>
                <li>
                  {balance === undefined || balance === 0 ? (
                    'Remaining credit is lost and not refundable.'
                  ) : (
                    <>
                      <span className="font-medium text-ink">{formatCents(balance)}</span> of credit is lost
                      and not refundable.
                    </>
                  )}
                </li>
                {teams.length > 0 && (
                  <li>
                    You leave your teams. A team with you as its only member is deleted. A team you own that
                    has other members or credit must be transferred or deleted first.
                  </li>
                )}
                <li>You are signed out everywhere. This cannot be undone.</li>
              </ul>
              <Field label={`Type ${email} to confirm`} className="text-ink">
                <Input
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                  type="email"
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              </Field>
              {factor && <CodeField error={undefined} value={code} onChange={setCode} />}
            </div>
          }
          confirmLabel="Delete account"
          onConfirm={confirm}
        />
      </CardBody>
    </Card>
  );
}

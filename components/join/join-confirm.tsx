'use client';

import Link from 'next/link';
import { useEffect, useRef, useState } from 'react';
import type { Viewer } from '@/server/identity/accounts/schema';
import type { InvitationPreview, JoinedTeam } from '@/server/identity/teams/schema';
import { CardPage } from '../shared/card-page';
import { errorText, gatewayError, trpc } from '../shared/trpc-provider';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { Notice } from '../ui/notice';
import { JoinFacts } from './join-facts';
import { signInToJoin, UnknownInvitation } from './join-outcomes';

interface JoinConfirmProps {
  token: string;
  preview: InvitationPreview;
  viewer: Viewer;
}

type Outcome =
  | { kind: 'asking'; problem: string | null }
  | { kind: 'joined'; team: JoinedTeam }
  | { kind: 'declined' }
  | { kind: 'unknown' };

/** Asks for confirmation, then joins. Opening the link alone never joins. */
export function JoinConfirm({ token, preview, viewer }: JoinConfirmProps) {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'asking', problem: null });
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null);

  async function answer(which: 'accept' | 'decline') {
    setBusy(which);
    try {
      if (which === 'accept')
        setOutcome({ kind: 'joined', team: await trpc.teams.acceptInvitation.mutate({ token }) });
      else {
        await trpc.teams.declineInvitation.mutate({ token });
        setOutcome({ kind: 'declined' });
      }
    } catch (error) {
      const code = gatewayError(error)?.code;
      if (code === 'NOT_FOUND') setOutcome({ kind: 'unknown' });
      else if (code === 'AUTH_REQUIRED' || code === 'AUTH_FAILED')
        window.location.assign(signInToJoin(token));
      else setOutcome({ kind: 'asking', problem: errorText(error) });
    } finally {
      setBusy(null);
    }
  }

  if (outcome.kind === 'joined') return <Joined team={outcome.team} />;
  if (outcome.kind === 'declined') return <Declined preview={preview} />;
  if (outcome.kind === 'unknown') return <UnknownInvitation />;
  return (
    <CardPage title={`Join ${preview.team_name}`}>
      <p className="text-muted">
        You join as <span className="break-words font-medium text-ink">{viewer.email}</span>. Your own
        account, keys and balance stay yours.
      </p>
      <JoinFacts preview={preview} />
      {outcome.problem && (
        <Notice tone="danger" live title="Could not respond to the invitation">
          {outcome.problem}
        </Notice>
      )}
      <div className="flex flex-col gap-2 sm:flex-row">
        <Button
          variant="primary"
          size="lg"
          className="grow"
          busy={busy === 'accept'}
          disabled={busy === 'decline'}
          onClick={() => answer('accept')}
        >
          Join the team
        </Button>
        <Button
          size="lg"
          busy={busy === 'decline'}
          disabled={busy === 'accept'}
          onClick={() => answer('decline')}
        >
          Decline
        </Button>
      </div>
    </CardPage>
  );
}

/** The pressed button is gone: the heading takes the focus, so that the outcome is announced. */
function useFocusOnHeading() {
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => top.current?.querySelector('h1')?.focus(), []);
  return top;
}

function Joined({ team }: { team: JoinedTeam }) {
  return (
    <div ref={useFocusOnHeading()}>
      <CardPage title={`You are in ${team.name}`}>
        <p className="text-muted">
          Your agents can charge the team with your existing keys: add{' '}
          <code className="[overflow-wrap:anywhere] font-mono text-ink">"billing": "{team.slug}"</code> to a
          call. Without it, your own balance pays.
        </p>
        <div className="flex flex-wrap gap-2">
          <Link href={`/dashboard/team/${team.slug}`} className={buttonClass({ variant: 'primary' })}>
            Go to the team
          </Link>
          <Link href="/dashboard/keys" className={buttonClass()}>
            View your keys
          </Link>
        </div>
      </CardPage>
    </div>
  );
}

function Declined({ preview }: { preview: InvitationPreview }) {
  return (
    <div ref={useFocusOnHeading()}>
      <CardPage title="Invitation declined">
        <p className="text-muted">
          You did not join {preview.team_name}. If you change your mind, ask for a new invitation.
        </p>
        <div>
          <Link href="/dashboard" className={buttonClass({ variant: 'primary' })}>
            Go to dashboard
          </Link>
        </div>
      </CardPage>
    </div>
  );
}

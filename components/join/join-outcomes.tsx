import Link from 'next/link';
import type { InvitationPreview } from '@/server/identity/teams/schema';
import { CardPage } from '../shared/card-page';
import { buttonClass } from '../ui/button';

/** To sign in and back to this invitation. */
export function signInToJoin(token: string): string {
  return `/sign-in?callbackUrl=${encodeURIComponent(`/join?token=${encodeURIComponent(token)}`)}`;
}

const ENDED = {
  expired: {
    title: 'This invitation has expired',
    words: 'A link works for 7 days. Ask to be invited again: it takes a moment.',
  },
  revoked: {
    title: 'This invitation was taken back',
    words: 'It was declined or revoked. If that was a mistake, ask to be invited again.',
  },
  used: {
    title: 'This invitation was used already',
    words:
      'A link works once. If it was you, sign in with the address that was invited and the team is in your dashboard.',
  },
} as const;

interface EndedInvitationProps {
  preview: InvitationPreview;
  state: keyof typeof ENDED;
}

export function EndedInvitation({ preview, state }: EndedInvitationProps) {
  const { title, words } = ENDED[state];
  return (
    <CardPage title={title}>
      <p className="text-muted">
        It was for the team <span className="font-medium text-ink">{preview.team_name}</span>
        {preview.inviter && <>, from {preview.inviter}</>}. {words}
      </p>
      <WaysOn />
    </CardPage>
  );
}

export function UnknownInvitation() {
  return (
    <CardPage title="This invitation link does not work">
      <p className="text-muted">
        It may be cut short: copy the whole address from the mail, with everything after{' '}
        <code className="font-mono text-ink">token=</code>. Where the invitation was sent again, only the
        newest link works.
      </p>
      <WaysOn />
    </CardPage>
  );
}

export function InTeamAlready({ preview, slug }: { preview: InvitationPreview; slug: string }) {
  return (
    <CardPage title={`You are in ${preview.team_name}`}>
      <p className="text-muted">There is nothing left to do.</p>
      <div>
        <Link href={`/dashboard/team/${slug}`} className={buttonClass({ variant: 'primary' })}>
          Go to the team
        </Link>
      </div>
    </CardPage>
  );
}

function WaysOn() {
  return (
    <div className="flex flex-wrap gap-2">
      <Link href="/dashboard/team" className={buttonClass({ variant: 'primary' })}>
        See your teams
      </Link>
      <Link href="/" className={buttonClass()}>
        Go to the start
      </Link>
    </div>
  );
}

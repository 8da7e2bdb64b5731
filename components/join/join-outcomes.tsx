import Link from 'next/link';
import type { InvitationPreview } from '@/server/identity/teams/schema';
import { CardPage } from '../shared/card-page';
import { buttonClass } from '../ui/button-class';

/** The sign-in URL that returns to this invitation. */
export function signInToJoin(token: string): string {
  return `/sign-in?callbackUrl=${encodeURIComponent(`/join?token=${encodeURIComponent(token)}`)}`;
}

const ENDED = {
  expired: {
    title: 'This invitation has expired',
    words: 'Links work for 7 days. Ask for a new invitation.',
  },
  revoked: {
    title: 'This invitation is no longer valid',
    words: 'It was declined or revoked. If that was a mistake, ask for a new invitation.',
  },
  used: {
    title: 'This invitation has already been used',
    words:
      'A link works once. If you used it, sign in with the invited email address to see the team in your dashboard.',
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
        The link may be incomplete: copy the full URL from the email, with everything after{' '}
        <code className="font-mono text-ink">token=</code>. If the invitation was sent again, only the newest
        link works.
      </p>
      <WaysOn />
    </CardPage>
  );
}

export function InTeamAlready({ preview, slug }: { preview: InvitationPreview; slug: string }) {
  return (
    <CardPage title={`You are in ${preview.team_name}`}>
      <p className="text-muted">There’s nothing left to do.</p>
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
        View your teams
      </Link>
      <Link href="/" className={buttonClass()}>
        Go to home page
      </Link>
    </div>
  );
}

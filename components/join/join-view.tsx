import Link from 'next/link';
import type { Viewer } from '@/server/identity/accounts/schema';
import type { InvitationPreview } from '@/server/identity/teams/schema';
import { CardPage } from '../shared/card-page';
import { buttonClass } from '../ui/button-class';
import { JoinConfirm } from './join-confirm';
import { JoinFacts } from './join-facts';
import { EndedInvitation, InTeamAlready, signInToJoin, UnknownInvitation } from './join-outcomes';
import { SignInOtherwise } from './sign-in-otherwise';

interface JoinViewProps {
  token: string;
  preview: InvitationPreview;
  viewer: Viewer | null;
}

/** The page of an invitation link in each of its states. Opening it changes nothing. */
export function JoinView({ token, preview, viewer }: JoinViewProps) {
  const { state, team_slug: slug, is_yours: isYours } = preview;
  if (state === 'unknown') return <UnknownInvitation />;
  if (slug && (isYours || state === 'used')) return <InTeamAlready preview={preview} slug={slug} />;
  if (state !== 'open') return <EndedInvitation preview={preview} state={state} />;
  if (!viewer) return <SignInFirst token={token} preview={preview} />;
  if (!isYours) return <OtherAddress token={token} preview={preview} viewer={viewer} />;
  return <JoinConfirm token={token} preview={preview} viewer={viewer} />;
}

function SignInFirst({ token, preview }: { token: string; preview: InvitationPreview }) {
  return (
    <CardPage title={`Join ${preview.team_name}`}>
      <JoinFacts preview={preview} />
      <Link href={signInToJoin(token)} className={buttonClass({ variant: 'primary', size: 'lg' })}>
        Sign in to accept
      </Link>
      <p className="text-muted text-sm">
        Sign in as <span className="break-words text-ink">{preview.email}</span>, the invited email address.
        You join only when you accept. No account yet? Signing in creates one.
      </p>
    </CardPage>
  );
}

function OtherAddress({ token, preview, viewer }: JoinViewProps & { viewer: Viewer }) {
  return (
    <CardPage title={`Join ${preview.team_name}`}>
      <p className="text-muted">
        This invitation is for <span className="break-words font-medium text-ink">{preview.email}</span>, and
        you are signed in as <span className="break-words font-medium text-ink">{viewer.email}</span>.
      </p>
      <JoinFacts preview={preview} />
      <SignInOtherwise token={token} />
      <p className="text-muted text-sm">
        Or ask {preview.inviter ?? 'the person who invited you'} to invite the email address you use here.
      </p>
    </CardPage>
  );
}

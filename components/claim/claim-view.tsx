import Link from 'next/link';
import type { ClaimPreview, Viewer } from '@/server/identity/accounts/schema';
import { CardPage } from '../shared/card-page';
import { buttonClass } from '../ui/button-class';
import { ClaimConfirm } from './claim-confirm';
import { ClaimFacts, ClaimKeys } from './claim-facts';
import { ClaimedByOther, UnknownLink } from './claim-outcomes';
import { signInToClaim } from './sign-in-to-claim';

interface ClaimViewProps {
  token: string;
  preview: ClaimPreview;
  viewer: Viewer | null;
}

/** The page of a claim link in each of its states. Opening it changes nothing. */
export function ClaimView({ token, preview, viewer }: ClaimViewProps) {
  switch (preview.state) {
    case 'open':
      return viewer ? (
        <ClaimConfirm token={token} preview={preview} viewer={viewer} />
      ) : (
        <SignInFirst token={token} preview={preview} />
      );
    case 'claimed_by_you':
      return <AlreadyYours preview={preview} />;
    case 'claimed':
      return <ClaimedByOther signedInAs={viewer?.email ?? null} token={token} />;
    case 'unknown':
      return <UnknownLink />;
  }
}

function SignInFirst({ token, preview }: { token: string; preview: ClaimPreview }) {
  return (
    <CardPage title="Claim this key">
      <p className="text-muted">
        An agent created this key. Sign in to claim it: the key keeps working, and you can see what it does
        and buy credit.
      </p>
      <ClaimFacts preview={preview} />
      <Link href={signInToClaim(token)} className={buttonClass({ variant: 'primary', size: 'lg' })}>
        Sign in to claim
      </Link>
      <p className="text-muted text-sm">
        Nothing moves until you sign in and confirm. No account yet? Your first sign-in creates one, if this
        gateway is open for sign-up.
      </p>
    </CardPage>
  );
}

function AlreadyYours({ preview }: { preview: ClaimPreview }) {
  return (
    <CardPage title="You already own this key">
      <p className="text-muted">You’ve already claimed it. There’s nothing left to do.</p>
      {preview.keys.length > 0 && <ClaimKeys keys={preview.keys} />}
      <div className="flex flex-wrap gap-2">
        <Link href="/dashboard" className={buttonClass({ variant: 'primary' })}>
          Go to dashboard
        </Link>
        <Link href="/dashboard/keys" className={buttonClass()}>
          View your keys
        </Link>
      </div>
    </CardPage>
  );
}

import Link from 'next/link';
import type { ClaimPreview, Viewer } from '@/server/accounts/schema';
import { buttonClass } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { ClaimConfirm } from './claim-confirm';
import { ClaimFacts, ClaimKeys } from './claim-facts';
import { ClaimFrame } from './claim-frame';

interface ClaimViewProps {
  token: string;
  preview: ClaimPreview;
  viewer: Viewer | null;
}

/** What a claim link leads to, in each of its states. Looking changes nothing. */
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

export function signInToClaim(token: string): string {
  return `/sign-in?callbackUrl=${encodeURIComponent(`/claim?token=${encodeURIComponent(token)}`)}`;
}

function SignInFirst({ token, preview }: { token: string; preview: ClaimPreview }) {
  return (
    <ClaimFrame title="Claim this key">
      <p className="text-muted">
        An agent got this key by itself. Sign in to take it over: the key keeps working, and you can see what
        it does and give it credit.
      </p>
      <ClaimFacts preview={preview} />
      <Link href={signInToClaim(token)} className={buttonClass({ variant: 'primary', size: 'lg' })}>
        Sign in to claim
      </Link>
      <p className="text-muted text-sm">
        Nothing is moved until you have signed in and confirmed. No account yet? Signing in makes one.
      </p>
    </ClaimFrame>
  );
}

function AlreadyYours({ preview }: { preview: ClaimPreview }) {
  return (
    <ClaimFrame title="This key is yours already">
      <p className="text-muted">You have claimed it before. There is nothing left to do.</p>
      {preview.keys.length > 0 && <ClaimKeys keys={preview.keys} />}
      <div className="flex flex-wrap gap-2">
        <Link href="/dashboard" className={buttonClass({ variant: 'primary' })}>
          Go to the dashboard
        </Link>
        <Link href="/dashboard/keys" className={buttonClass()}>
          See your keys
        </Link>
      </div>
    </ClaimFrame>
  );
}

export function ClaimedByOther({ signedInAs, token }: { signedInAs: string | null; token: string }) {
  return (
    <ClaimFrame title="This key was claimed already">
      {signedInAs ? (
        <p className="text-muted">
          Someone else took it over; you are signed in as{' '}
          <span className="break-all text-ink">{signedInAs}</span>. If that was you under another address,
          sign out and sign in with that one. Otherwise ask whoever runs the agent.
        </p>
      ) : (
        <p className="text-muted">
          A claim link works once. If it was you, sign in and the key is in your dashboard.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {!signedInAs && (
          <Link href={signInToClaim(token)} className={buttonClass({ variant: 'primary' })}>
            Sign in
          </Link>
        )}
        <Link
          href={signedInAs ? '/dashboard' : '/'}
          className={buttonClass({ variant: signedInAs ? 'primary' : 'secondary' })}
        >
          {signedInAs ? 'Go to the dashboard' : 'Go to the start'}
        </Link>
      </div>
    </ClaimFrame>
  );
}

export function UnknownLink() {
  return (
    <ClaimFrame title="This claim link does not work">
      <p className="text-muted">
        It belongs to no key. It may be cut short: copy the whole address the agent gave you, with everything
        after <code className="font-mono text-ink">token=</code>. The agent can always ask for it again, with
        its key:
      </p>
      <CodeBlock
        label="Ask for the claim link again"
        wrap
        samples={[
          {
            language: 'curl',
            code: 'curl -s "$GATEWAY_URL/v1/billing/balance" -H "Authorization: Bearer $GATEWAY_KEY"',
          },
        ]}
      />
      <p className="text-muted text-sm">
        The link is in <code className="font-mono">top_up_hint</code> of the answer.
      </p>
      <div>
        <Link href="/" className={buttonClass()}>
          Go to the start
        </Link>
      </div>
    </ClaimFrame>
  );
}

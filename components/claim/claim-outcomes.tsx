'use client';

import Link from 'next/link';
import { CardPage } from '../shared/card-page';
import { useOrigin } from '../shared/use-origin';
import { buttonClass } from '../ui/button-class';
import { CodeBlock } from '../ui/code-block';
import { signInToClaim } from './sign-in-to-claim';

export function ClaimedByOther({ signedInAs, token }: { signedInAs: string | null; token: string }) {
  return (
    <CardPage title="This key has already been claimed">
      {signedInAs ? (
        <p className="text-muted">
          Someone else claimed it. You’re signed in as{' '}
          <span className="[overflow-wrap:anywhere] text-ink">{signedInAs}</span>. If that was you with
          another email address, sign out and sign in with it. Otherwise, ask the person who runs the agent.
        </p>
      ) : (
        <p className="text-muted">
          A claim link works once. If you claimed the key, sign in to see it in your dashboard.
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
          {signedInAs ? 'Go to dashboard' : 'Go to home page'}
        </Link>
      </div>
    </CardPage>
  );
}

export function UnknownLink() {
  const origin = useOrigin();
  return (
    <CardPage title="This claim link does not work">
      <p className="text-muted">
        No key matches it. The link may be incomplete: copy the full URL the agent gave you, with everything
        after <code className="font-mono text-ink">token=</code>. The agent can request the link again with
        its key:
      </p>
      <CodeBlock
        label="Request the claim link again"
        wrap
        samples={[
          {
            language: 'curl',
            code: `curl -s ${origin}/v1/billing/balance -H "Authorization: Bearer $TOOL_GATEWAY_KEY"`,
          },
        ]}
      />
      <p className="text-muted text-sm">
        The link is in <code className="font-mono">top_up_hint</code> of the response.
      </p>
      <div>
        <Link href="/" className={buttonClass()}>
          Go to home page{' '}
        </Link>
      </div>
    </CardPage>
  );
}

'use client';

import Link from 'next/link';
import { useOrigin } from '../shared/use-origin';
import { CardPage } from '../shared/card-page';
import { buttonClass } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { signInToClaim } from './sign-in-to-claim';

export function ClaimedByOther({ signedInAs, token }: { signedInAs: string | null; token: string }) {
  return (
    <CardPage title="This key was claimed already">
      {signedInAs ? (
        <p className="text-muted">
          Someone else took it over; you are signed in as{' '}
          <span className="[overflow-wrap:anywhere] text-ink">{signedInAs}</span>. If that was you under
          another address, sign out and sign in with that one. Otherwise ask whoever runs the agent.
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
    </CardPage>
  );
}

export function UnknownLink() {
  const origin = useOrigin();
  return (
    <CardPage title="This claim link does not work">
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
            code: `curl -s ${origin}/v1/billing/balance -H "Authorization: Bearer $TOOL_GATEWAY_KEY"`,
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
    </CardPage>
  );
}

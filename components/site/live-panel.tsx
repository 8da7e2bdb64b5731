'use client';

import { useRef, useState } from 'react';
import type { ProvisionResponse } from '@/server/identity/accounts/schema';
import { curlProvision, type SampleCall } from '../shared/call-samples';
import { Button } from '../ui/button';
import { ArrowRight } from '../ui/icons';
import { SecretReveal } from '../ui/secret-reveal';
import { LiveCall } from './live-call';
import { type LiveResponse, type Problem, provision } from './live-gateway';
import { CurlLine, PanelStep, ProblemLine, ResponseLine } from './live-parts';

interface LivePanelProps {
  baseUrl: string;
  /** Free calls to choose from, with editable inputs. */
  calls: SampleCall[];
}

/**
 * Does what an agent does first, with real requests: gets a key, calls a tool, and shows requests
 * and responses. The key exists only in this component's state and is lost when the page is left.
 */
export function LivePanel({ baseUrl, calls }: LivePanelProps) {
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<LiveResponse<ProvisionResponse> | Problem | null>(null);
  const answer = result?.kind === 'answer' ? result : null;
  const started = useRef(false);

  async function getKey() {
    if (started.current) return;
    started.current = true;
    setBusy(true);
    const outcome = await provision();
    setResult(outcome);
    setBusy(false);
    // A failed request may be retried, but a second press must not create a second key.
    started.current = outcome.kind === 'answer';
  }

  return (
    <section
      data-terminal
      aria-label="Try it: get a key and call a tool"
      className="min-w-0 divide-y overflow-hidden rounded-xl border shadow-pop"
    >
      <PanelStep number={1} method="POST" path="/v1/auth/provision" done={answer !== null}>
        <CurlLine code={curlProvision(baseUrl)} label="provisioning as curl" />
        {!answer && (
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button variant="primary" busy={busy} onClick={getKey}>
              Get a key
            </Button>
            <span className="text-muted text-sm">No sign-up. Works immediately with free tools.</span>
          </div>
        )}
        <div role="status" className="empty:hidden">
          {answer && <ResponseLine answer={answer} unit="keys" />}
          {result?.kind === 'problem' && <ProblemLine problem={result} />}
        </div>
        {answer && (
          <SecretReveal
            secret={answer.body.api_key}
            label="API key"
            warning="Copy it now. It is shown only here and is gone when you leave this page."
          />
        )}
      </PanelStep>
      <LiveCall baseUrl={baseUrl} calls={calls} apiKey={answer?.body.api_key ?? null} />
      {answer && (
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 px-4 py-4 sm:px-5">
          <p className="min-w-0 text-muted text-sm sm:max-w-72">
            Claim the key to keep it: sign in, and its calls and credit move to your account.
          </p>
          <a
            href={answer.body.claim_url}
            rel="noreferrer"
            className="inline-flex h-9 items-center gap-2 rounded-md border border-line-strong px-4 font-medium text-sm hover:bg-hover"
          >
            Claim this key
            <ArrowRight aria-hidden className="size-4" />
          </a>
        </div>
      )}
    </section>
  );
}

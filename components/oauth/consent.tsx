'use client';

import { useState } from 'react';
import type { AuthorizationRequest, DescribedRequest } from '@/server/oauth/schema';
import { signOut } from '../auth-client';
import { fieldProblem, problemText } from '../dashboard/problem';
import { CardPage } from '../site/card-page';
import { gatewayError, trpc } from '../trpc-provider';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { ApplicationFacts, WhatItMay } from './consent-facts';
import { SpendingLimitField, useSpendingLimit } from './spending-limit';
import { useSettled } from './use-settled';

/** Enough to try an application, too little to regret. */
const USUAL_LIMIT = '5.00';

interface ConsentProps {
  request: AuthorizationRequest;
  described: Extract<DescribedRequest, { kind: 'asked' }>;
  email: string;
  /** What the person's own account can spend; null where it is not known. */
  availableUsd: number | null;
  /** Of this page, with the request. */
  path: string;
}

/** Asks whether an application may act for the person. The address alone allows nothing: it takes this button. */
export function Consent({ request, described, email, availableUsd, path }: ConsentProps) {
  const { application, deny_url, replaces } = described;
  const [leaving, setLeaving] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const limit = useSpendingLimit(USUAL_LIMIT);
  const settled = useSettled();

  function leave(url: string) {
    setLeaving(url);
    window.location.assign(url);
  }

  async function allow(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const credits = limit.read();
    if (credits === undefined) {
      event.currentTarget.querySelector<HTMLInputElement>('[name="limit"]')?.focus();
      return;
    }
    setBusy(true);
    setProblem(null);
    try {
      leave((await trpc.oauth.approve.mutate({ request, credits })).url);
    } catch (error) {
      const code = gatewayError(error)?.code;
      const field = fieldProblem(error, 'credits');
      if (code === 'AUTH_REQUIRED' || code === 'AUTH_FAILED') window.location.assign(signInTo(path));
      else if (field) limit.refuse(`Spending limit: ${field}`);
      else setProblem(problemText(error));
    } finally {
      setBusy(false);
    }
  }

  if (leaving) return <Leaving name={application.name} url={leaving} />;
  return (
    <CardPage title="Connect this application?">
      <p className="text-muted">
        An application that calls itself{' '}
        <span className="[overflow-wrap:anywhere] font-medium text-ink">“{application.name}”</span> asks to
        use tools as you, <span className="[overflow-wrap:anywhere] font-medium text-ink">{email}</span>.{' '}
        <button type="button" className="link" onClick={() => void signOut(signInTo(path))}>
          Not you?
        </button>
      </p>
      <ApplicationFacts application={application} availableUsd={availableUsd} />
      <Notice tone="warning" title="A name can be anyone’s">
        Allow it only if you have just asked for this, in an application that you know by the place above.
      </Notice>
      <WhatItMay />
      <form noValidate onSubmit={allow} className="flex flex-col gap-5">
        <SpendingLimitField
          limit={limit}
          hint="The most that it may spend in all, in dollars. 0: free tools only."
        />
        {problem && (
          <Notice tone="danger" live title="Not allowed">
            {problem}
          </Notice>
        )}
        <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
          <Button size="lg" disabled={!settled || busy} onClick={() => leave(deny_url)}>
            Deny
          </Button>
          <Button type="submit" variant="primary" size="lg" busy={busy} disabled={!settled}>
            Allow
          </Button>
        </div>
      </form>
      <p className="text-muted text-sm">
        {replaces && 'It has access already, which ends with this. '}
        Where a call names a team of yours, that team pays; the limit counts it too. You can change the limit
        or disconnect it at any time, in Settings.
      </p>
    </CardPage>
  );
}

/** An application of its own is opened beside this page, which stays. */
function Leaving({ name, url }: { name: string; url: string }) {
  return (
    <CardPage title="Going back">
      <p role="status" className="text-muted">
        You are being taken back to{' '}
        <span className="[overflow-wrap:anywhere] font-medium text-ink">“{name}”</span>. If nothing happens,{' '}
        <a href={url} className="link">
          go on here
        </a>
        . After that you can close this page.
      </p>
    </CardPage>
  );
}

function signInTo(path: string): string {
  return `/sign-in?callbackUrl=${encodeURIComponent(path)}`;
}

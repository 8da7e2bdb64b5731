'use client';

import type { AuthorizationRequest, DescribedRequest } from '@/server/identity/oauth/schema';
import { signOut } from '../shared/auth-client';
import { CardPage } from '../shared/card-page';
import { Button } from '../ui/button';
import { Notice } from '../ui/notice';
import { ApplicationFacts, WhatItMay } from './consent-facts';
import { SpendingLimitField } from './spending-limit';
import { signInTo, useConsent } from './use-consent';
import { useStableFocus } from './use-stable-focus';

interface ConsentProps {
  request: AuthorizationRequest;
  described: Extract<DescribedRequest, { kind: 'asked' }>;
  email: string;
  /** What the person's own account can spend; null if unknown. */
  availableUsd: number | null;
  /** The path of this page, with the authorization request. */
  path: string;
}

/** Asks whether to grant an application access. Opening the URL alone grants nothing. */
export function Consent({ request, described, email, availableUsd, path }: ConsentProps) {
  const { application, deny_url, replaces } = described;
  const consent = useConsent(request, path);
  if (consent.leaving) return <Leaving name={application.name} url={consent.leaving} />;
  return (
    <CardPage title="Connect this application?">
      <p className="text-muted">
        An application that calls itself{' '}
        <span className="[overflow-wrap:anywhere] font-medium text-ink">“{application.name}”</span> wants to
        use tools as you, <span className="[overflow-wrap:anywhere] font-medium text-ink">{email}</span>.{' '}
        <button type="button" className="link" onClick={() => void signOut(signInTo(path))}>
          Not you?
        </button>
      </p>
      <ApplicationFacts application={application} availableUsd={availableUsd} />
      <Notice tone="warning" title="Names aren’t verified">
        Allow this only if you just started it, from the application shown under “Redirects to”.
      </Notice>
      <WhatItMay />
      <ConsentForm consent={consent} denyUrl={deny_url} />
      <p className="text-muted text-sm">
        {replaces && 'This replaces the access it already has. '}
        You can change the limit or disconnect it at any time, in Settings.
      </p>
    </CardPage>
  );
}

function ConsentForm({ consent, denyUrl }: { consent: ReturnType<typeof useConsent>; denyUrl: string }) {
  const { limit, busy, problem, allow, leave } = consent;
  const settled = useStableFocus();

  async function submit(event: React.FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    if (!(await allow())) form.querySelector<HTMLInputElement>('[name="limit"]')?.focus();
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <SpendingLimitField
        limit={limit}
        hint="The most it may spend in total, in dollars. Use 0 to allow free tools only."
      />
      {problem && (
        <Notice tone="danger" live title="Could not allow access">
          {problem}
        </Notice>
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button size="lg" disabled={!settled || busy} onClick={() => leave(denyUrl)}>
          Deny
        </Button>
        <Button type="submit" variant="primary" size="lg" busy={busy} disabled={!settled}>
          Allow
        </Button>
      </div>
    </form>
  );
}

/** For a native application's URL scheme: the application opens and this page stays. */
function Leaving({ name, url }: { name: string; url: string }) {
  return (
    <CardPage title="Redirecting">
      <p role="status" className="text-muted">
        Taking you back to <span className="[overflow-wrap:anywhere] font-medium text-ink">“{name}”</span>. If
        nothing happens,{' '}
        <a href={url} className="link">
          continue here
        </a>
        . You can then close this page.
      </p>
    </CardPage>
  );
}

'use client';

import { useState } from 'react';
import type { AuthorizationRequest } from '@/server/identity/oauth/schema';
import { fieldProblem, problemText } from '../shared/problem';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { useSpendingLimit } from './spending-limit';

/** A default that is enough to try an application and small enough to risk. */
const USUAL_LIMIT = '5.00';

/**
 * Allows or denies a request.
 * @param path of this page, with the authorization request
 */
export function useConsent(request: AuthorizationRequest, path: string) {
  const [leaving, setLeaving] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const limit = useSpendingLimit(USUAL_LIMIT);

  function leave(url: string) {
    setLeaving(url);
    window.location.assign(url);
  }

  /** @returns false if the limit field holds no amount */
  async function allow(): Promise<boolean> {
    const credits = limit.read();
    if (credits === undefined) return false;
    setBusy(true);
    setProblem(null);
    try {
      leave((await trpc.oauth.approve.mutate({ request, credits })).url);
    } catch (error) {
      const code = gatewayError(error)?.code;
      const field = fieldProblem(error, 'credits');
      if (code === 'AUTH_REQUIRED' || code === 'AUTH_FAILED') window.location.assign(signInTo(path));
      else if (field) limit.refuse(`Credit limit: ${field}`);
      else setProblem(problemText(error));
    } finally {
      setBusy(false);
    }
    return true;
  }

  return { limit, leaving, problem, busy, allow, leave };
}

/** The sign-in URL that returns to this request. */
export function signInTo(path: string): string {
  return `/sign-in?callbackUrl=${encodeURIComponent(path)}`;
}

import { CALL_WINDOWS } from './limits';
import type { Quotas, WindowState } from './windows';

/** A window as in the headers: `q` per `w` seconds, `r` remaining, `t` seconds to the reset. */
export interface PolicyState {
  name: string;
  quota: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

/**
 * Formats RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11, RFC 9651 lists),
 * and the older single-value fields for the policy with the fewest remaining calls.
 */
export function rateHeaders(policies: readonly PolicyState[]): Record<string, string> {
  if (policies.length === 0) return {};
  const tightest = findTightest(policies);
  const limit = String(tightest.quota);
  const remaining = String(tightest.remaining);
  const reset = String(tightest.resetSeconds);
  return {
    'RateLimit-Policy': policies.map((p) => `"${p.name}";q=${p.quota};w=${p.windowSeconds}`).join(', '),
    RateLimit: policies.map((p) => `"${p.name}";r=${p.remaining};t=${p.resetSeconds}`).join(', '),
    'RateLimit-Limit': limit,
    'RateLimit-Remaining': remaining,
    'RateLimit-Reset': reset,
    'X-RateLimit-Limit': limit,
    'X-RateLimit-Remaining': remaining,
    'X-RateLimit-Reset': reset,
  };
}

/** The policy with the fewest remaining calls; of equals, the last to reset. Needs at least one. */
export function findTightest(policies: readonly PolicyState[]): PolicyState {
  return policies.reduce((least, policy) => {
    const fewer = policy.remaining - least.remaining;
    return fewer < 0 || (fewer === 0 && policy.resetSeconds > least.resetSeconds) ? policy : least;
  });
}

/** The call windows of a key as policies. */
export function callPolicies(windows: WindowState, quotas: Quotas): PolicyState[] {
  return CALL_WINDOWS.map(({ name, seconds }, index) => {
    const { used = 0, resetSeconds = seconds } = windows[index] ?? {};
    return policy(name, quotas.perWindow[index] ?? 0, seconds, used, resetSeconds);
  });
}

/** Creates a policy state from the used part of its quota. */
export function policy(
  name: string,
  quota: number,
  windowSeconds: number,
  used: number,
  resetSeconds: number,
): PolicyState {
  const bounded = Math.min(Math.max(resetSeconds, 0), windowSeconds);
  return { name, quota, windowSeconds, remaining: Math.max(0, quota - used), resetSeconds: bounded };
}

/** Headers of every response to a tool call (contract section 4). */
export function callRateHeaders(windows: WindowState, quotas: Quotas): Record<string, string> {
  return rateHeaders(callPolicies(windows, quotas));
}

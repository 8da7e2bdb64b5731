import type { Quotas, WindowState } from './windows';

/** One window as the headers tell it: `q` per `w` seconds, `r` left, `t` seconds to the reset. */
export interface PolicyState {
  name: string;
  quota: number;
  windowSeconds: number;
  remaining: number;
  resetSeconds: number;
}

/**
 * RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11, RFC 9651 lists), and the
 * older single fields for the policy with the fewest calls left.
 */
export function rateHeaders(policies: readonly PolicyState[]): Record<string, string> {
  if (policies.length === 0) return {};
  const tightest = tightestOf(policies);
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

/**
 * The policy with the fewest calls left; of equal ones, the one that resets last. Takes at least
 * one.
 */
export function tightestOf(policies: readonly PolicyState[]): PolicyState {
  return policies.reduce((least, policy) => {
    const fewer = policy.remaining - least.remaining;
    return fewer < 0 || (fewer === 0 && policy.resetSeconds > least.resetSeconds) ? policy : least;
  });
}

/** The two call windows of a key as policies. */
export function callPolicies(windows: WindowState, quotas: Quotas): [PolicyState, PolicyState] {
  return [
    policy('minute', quotas.perMinute, 60, windows.minuteUsed, windows.minuteReset),
    policy('hour', quotas.perHour, 3600, windows.hourUsed, windows.hourReset),
  ];
}

/** A policy from how much of it is used. */
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

/** Headers of every answer to a tool call (contract section 4). */
export function callRateHeaders(windows: WindowState, quotas: Quotas): Record<string, string> {
  return rateHeaders(callPolicies(windows, quotas));
}

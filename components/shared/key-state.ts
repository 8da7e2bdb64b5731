import type { ApiKey } from '@/server/identity/keys/schema';
import type { BlockedKey } from '@/server/usage/attention-schema';

/** From then on an expiry is shown as a warning. */
const WARN_BEFORE_MS = 7 * 24 * 3_600_000;

/** What else decides whether a key can call. */
export interface KeySituation {
  /** The limit that refuses its calls now, if known. */
  blocked?: BlockedKey | undefined;
  /** Its account has no credit. */
  broke?: boolean | undefined;
}

/** The states of a key, those that stop its calls first. */
const STATES = ['used-up', 'limit', 'no-credit', 'expired', 'expiring', 'active', 'revoked'] as const;
export type KeyState = (typeof STATES)[number];

const STOPPED: ReadonlySet<KeyState> = new Set(['used-up', 'limit', 'no-credit', 'expired']);

/** What stops the calls of a key first, or may stop them soon. */
export function findKeyState(
  key: Pick<ApiKey, 'status' | 'credits' | 'spend_limit' | 'expires_at' | 'expired'>,
  { blocked, broke }: KeySituation,
): KeyState {
  const { status, credits, spend_limit: limit, expires_at: expires, expired } = key;
  if (status === 'revoked') return 'revoked';
  if (expired) return 'expired';
  if (credits !== null && credits <= 0) return 'used-up';
  if (limit !== null && limit.spent_usd >= limit.amount_usd) return 'limit';
  if (blocked) return blocked.error_code === 'INSUFFICIENT_CREDITS' ? 'no-credit' : 'limit';
  if (broke) return 'no-credit';
  return expires !== null && new Date(expires).getTime() < Date.now() + WARN_BEFORE_MS
    ? 'expiring'
    : 'active';
}

/** Whether a key that is not revoked cannot make paid calls now. */
export function isStopped(state: KeyState): boolean {
  return STOPPED.has(state);
}

/** For sorting: what needs attention first. */
export function rankKeyState(state: KeyState): number {
  return STATES.indexOf(state);
}

import type { ApiKey } from '@/server/identity/keys/schema';
import type { BlockedKey } from '@/server/usage/attention-schema';

/** From then on an expiry is shown as a warning. */
const WARN_BEFORE_MS = 7 * 24 * 3_600_000;

/** What else decides whether a key can call: every place that shows its state reads it. */
export interface KeySituation {
  /** The limit that refuses its calls now. */
  blocked: BlockedKey | undefined;
  /** Its account has no credit. */
  broke: boolean;
}

/** What is known of the keys of an account apart from themselves. */
export interface KeysSituation {
  /** The keys whose calls a limit refuses now. */
  blocked: readonly BlockedKey[];
  /** The account has no credit. */
  broke: boolean;
}

/** The situation of single keys. */
export function readSituations({ blocked, broke }: KeysSituation) {
  const limits = new Map(blocked.map((limit) => [limit.key_id, limit]));
  return ({ id, status }: Pick<ApiKey, 'id' | 'status'>): KeySituation => ({
    blocked: status === 'active' ? limits.get(id) : undefined,
    broke,
  });
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
  if (blocked?.error_code === 'INSUFFICIENT_CREDITS')
    return blocked.limit === 'key' ? 'used-up' : 'no-credit';
  if (blocked) return 'limit';
  if (broke) return 'no-credit';
  return expires !== null && new Date(expires).getTime() < Date.now() + WARN_BEFORE_MS
    ? 'expiring'
    : 'active';
}

/** The state of each key. */
export function readKeyStates(situation: KeysSituation) {
  const of = readSituations(situation);
  return (key: ApiKey): KeyState => findKeyState(key, of(key));
}

/** The words for the states, the same on each page; `expiring` has a date instead. */
export const KEY_STATE_WORDS: Record<Exclude<KeyState, 'expiring'>, string> = {
  'used-up': 'Credit limit reached',
  limit: 'Limit reached',
  'no-credit': 'No credit',
  expired: 'Expired',
  active: 'Active',
  revoked: 'Revoked',
};

/** Whether a key that is not revoked cannot make paid calls now. */
export function isStopped(state: KeyState): boolean {
  return STOPPED.has(state);
}

/** For sorting: what needs attention first. */
export function rankKeyState(state: KeyState): number {
  return STATES.indexOf(state);
}

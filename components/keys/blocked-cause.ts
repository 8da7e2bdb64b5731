import { CALL_WINDOWS } from '@/server/core/limits/limits';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { BlockedKey } from '@/server/usage/schema';
import { errorHint } from '../shared/error-hint';

/** Where the limit is changed: a dialog of the key, or a page. */
type Place = 'credits' | 'rules' | 'billing' | 'team';

interface BlockedCause {
  title: string;
  remedy: string;
  /** Null: time alone helps, or only the operator can change the limit. */
  place: Place | null;
}

/** By code and limit of the error. */
const CAUSES: Partial<Record<string, BlockedCause>> = {
  'INSUFFICIENT_CREDITS account': {
    title: 'The account does not have enough credit',
    remedy: 'Buy credit for the account.',
    place: 'billing',
  },
  'INSUFFICIENT_CREDITS debt': {
    title: 'The account has a debt',
    remedy: 'A refund or dispute left it. Buy credit to pay it off.',
    place: 'billing',
  },
  'INSUFFICIENT_CREDITS key': {
    title: 'The key has too little left of its credit limit',
    remedy: 'Raise the key’s credit limit. Credit of the account does not raise it.',
    place: 'credits',
  },
  'SPENDING_LIMIT_EXCEEDED key': {
    title: 'The key has reached its spending limit',
    remedy: 'Wait until it resets, or raise it in the key’s rules.',
    place: 'rules',
  },
  'SPENDING_LIMIT_EXCEEDED member': {
    title: 'The member has reached their spending limit in the team',
    remedy: 'Wait until it resets. An owner or admin of the team can raise it.',
    place: 'team',
  },
  'SPENDING_LIMIT_EXCEEDED month': {
    title: 'The account has reached its monthly limit',
    remedy: 'Wait until it resets, or raise it on the Billing page.',
    place: 'billing',
  },
};

/** Which limit refuses the calls of a key, what helps, and where. */
export function findBlockedCause({ error_code: code, limit }: BlockedKey, apiKey: ApiKey): BlockedCause {
  const cause = code === 'RATE_LIMIT_EXCEEDED' ? findRateCause(limit, apiKey) : CAUSES[`${code} ${limit}`];
  return cause ?? { title: 'A limit refuses calls of this key', remedy: errorHint(code), place: null };
}

function findRateCause(limit: string, { rate_limits: rates }: ApiKey): BlockedCause | undefined {
  const window = CALL_WINDOWS.find(({ name }) => name === limit);
  if (!window && limit !== 'concurrency') return undefined;
  const isOfKey = rates !== null && rates[window?.field ?? 'concurrent'] !== null;
  const wait = window ? 'Wait until it resets' : 'Wait until a running call ends';
  return {
    title: `The key has reached its limit of calls ${window?.per ?? 'at once'}`,
    remedy: isOfKey
      ? `${wait}, or raise the limit in the key’s rules.`
      : `${wait}, or use another key: each key of the account has this limit.`,
    place: isOfKey ? 'rules' : null,
  };
}

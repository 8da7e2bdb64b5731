import { expect, it } from 'vitest';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { BlockedKey } from '@/server/usage/schema';
import { findBlockedCause } from './blocked-cause';
import { KEY } from './testing/api-key';

const TIME = '2026-11-01T00:00:00Z';

type Case = [BlockedKey['error_code'], string, Partial<ApiKey>, RegExp, RegExp, string | null];
const ownRates = { rate_limits: { per_minute: 5, per_hour: null, concurrent: null } };

it.each<Case>([
  ['INSUFFICIENT_CREDITS', 'account', {}, /^The account/, /^Buy credit/, 'billing'],
  ['INSUFFICIENT_CREDITS', 'debt', {}, /debt/, /Buy credit/, 'billing'],
  ['INSUFFICIENT_CREDITS', 'key', {}, /^The key/, /^Raise the key’s credit limit/, 'credits'],
  ['SPENDING_LIMIT_EXCEEDED', 'key', {}, /^The key/, /key’s rules/, 'rules'],
  ['SPENDING_LIMIT_EXCEEDED', 'member', {}, /^The member/, /owner or admin/, 'team'],
  ['SPENDING_LIMIT_EXCEEDED', 'month', {}, /^The account/, /Billing/, 'billing'],
  ['RATE_LIMIT_EXCEEDED', 'minute', {}, /calls a minute$/, /another key/, null],
  ['RATE_LIMIT_EXCEEDED', 'minute', ownRates, /calls a minute$/, /key’s rules/, 'rules'],
  ['RATE_LIMIT_EXCEEDED', 'hour', ownRates, /calls an hour$/, /another key/, null],
  ['RATE_LIMIT_EXCEEDED', 'concurrency', {}, /calls at once$/, /running call ends/, null],
  ['RATE_LIMIT_EXCEEDED', 'later', {}, /^A limit/, /limit of calls/, null],
])('%s of %s with %o names the limit and its remedy', (code, limit, change, title, remedy, place) => {
  const blocked = { key_id: 'key_1', error_code: code, limit, refused: 1, since: TIME, last_at: TIME };
  const cause = findBlockedCause({ ...blocked, retry_at: null }, { ...KEY, ...change });
  expect(cause.title).toMatch(title);
  expect(cause.remedy).toMatch(remedy);
  expect(cause.place).toBe(place);
});

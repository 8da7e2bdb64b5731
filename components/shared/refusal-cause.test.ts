import { expect, it } from 'vitest';
import type { ApiKey } from '@/server/identity/keys/schema';
import { findRefusalCause, findRemedyLink } from './refusal-cause';

type Case = [string, string, Pick<ApiKey, 'rate_limits'>, RegExp, RegExp, string | null];
const NO_RATES = { rate_limits: null };
const ownRates = { rate_limits: { per_minute: 5, per_hour: null, concurrent: null } };

it.each<Case>([
  ['INSUFFICIENT_CREDITS', 'account', NO_RATES, /^The account/, /^Buy credit/, 'billing'],
  ['INSUFFICIENT_CREDITS', 'debt', NO_RATES, /debt/, /Buy credit/, 'billing'],
  [
    'INSUFFICIENT_CREDITS',
    'key',
    NO_RATES,
    /the key’s credit limit$/,
    /^Raise the key’s credit limit/,
    'credits',
  ],
  ['SPENDING_LIMIT_EXCEEDED', 'key', NO_RATES, /the key’s spending limit$/, /key’s rules/, 'rules'],
  ['SPENDING_LIMIT_EXCEEDED', 'member', NO_RATES, /the member’s/, /owner or admin/, 'team'],
  ['SPENDING_LIMIT_EXCEEDED', 'month', NO_RATES, /the account’s monthly/, /Billing/, 'monthly-limit'],
  ['RATE_LIMIT_EXCEEDED', 'minute', NO_RATES, /calls a minute$/, /another key/, null],
  ['RATE_LIMIT_EXCEEDED', 'minute', ownRates, /calls a minute$/, /key’s rules/, 'rules'],
  ['RATE_LIMIT_EXCEEDED', 'hour', ownRates, /calls an hour$/, /another key/, null],
  ['RATE_LIMIT_EXCEEDED', 'concurrency', NO_RATES, /calls at once$/, /running call ends/, null],
  ['RATE_LIMIT_EXCEEDED', 'later', NO_RATES, /^A limit/, /limit of calls/, 'message'],
])('%s of %s with %o names the limit and its remedy', (code, limit, key, title, remedy, place) => {
  const cause = findRefusalCause({ error_code: code, limit }, key);
  expect(cause.title).toMatch(title);
  expect(cause.remedy).toMatch(remedy);
  expect(cause.place).toBe(place);
});

it.each([
  ['SPENDING_LIMIT_EXCEEDED', 'key', '/dashboard/keys/key_1?rules=1'],
  ['INSUFFICIENT_CREDITS', 'key', '/dashboard/keys/key_1?credits=1'],
  ['INSUFFICIENT_CREDITS', 'account', '/dashboard/billing?billing=crew'],
  ['SPENDING_LIMIT_EXCEEDED', 'month', '/dashboard/billing?billing=crew#monthly-limit'],
  ['SPENDING_LIMIT_EXCEEDED', 'member', '/dashboard/team/crew'],
  ['RATE_LIMIT_EXCEEDED', 'minute', '/dashboard/keys/key_1'],
  ['TOOL_NOT_ALLOWED', null, '/dashboard/keys/key_1?rules=allowed_tools:math.evaluate'],
  ['IP_NOT_ALLOWED', null, '/dashboard/keys/key_1?rules=allowed_ips'],
  ['SKILL_NOT_FOUND', null, '/tools/math'],
  ['TOOL_NOT_FOUND', null, '/tools'],
  ['MISSING_CREDENTIALS', null, '/dashboard/provider-keys?q=math'],
  ['INVALID_INPUT', null, null],
  ['A_LATER_CODE', null, null],
])('%s of %s leads to where it is removed', (code, limit, href) => {
  const reason = {
    error_code: code,
    limit,
    key_id: 'key_1',
    kind: 'api' as const,
    tool: 'math',
    skill: 'evaluate',
  };
  expect(findRemedyLink(reason, 'crew')?.href ?? null).toBe(href);
  // What has no page, such as the playground, has no link to one.
  if (href?.includes('keys/key_1'))
    expect(findRemedyLink({ ...reason, kind: 'playground' }, 'crew')).toBeNull();
});

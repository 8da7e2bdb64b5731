import { parseHTML } from 'linkedom';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { BlockedKey } from '@/server/usage/attention-schema';
import { readKeyStates } from '../shared/key-state';
import { sortRows } from '../ui/table-sort';
import { buildStatusColumn, KEY_COLUMNS } from './keys-table';
import { KEY } from './testing/api-key';

const daily = (spent_usd: number): ApiKey['spend_limit'] => ({
  amount_usd: 0.03,
  period: 'day',
  spent_usd,
  resets_at: '2036-11-02T00:00:00Z',
});
const soon = new Date(Date.now() + 3_600_000).toISOString();

const blocked: BlockedKey = {
  ...{ key_id: KEY.id, error_code: 'SPENDING_LIMIT_EXCEEDED', limit: 'month', refused: 3 },
  ...{ since: KEY.created_at, last_at: KEY.created_at, retry_at: soon },
};

function read(column: 'used' | 'status', change: Partial<ApiKey>, limits: BlockedKey[] = []): string {
  const columns = [...KEY_COLUMNS, buildStatusColumn({ blocked: limits, broke: false })];
  const cell = columns.find(({ id }) => id === column)?.cell({ ...KEY, ...change });
  const { document } = parseHTML(renderToStaticMarkup(createElement('div', null, cell)));
  return document.documentElement.textContent ?? '';
}

const RATES = { per_minute: 10, per_hour: null, concurrent: 2 };

it.each<[string, Partial<ApiKey>, string | RegExp]>([
  ['no limit', {}, 'No spending limit'],
  ['limits of calls only', { rate_limits: RATES }, 'No spending limitand 2 other limits'],
  ['a daily limit, with its reset', { spend_limit: daily(0.02) }, /^\$0\.02 of \$0\.03 a dayResets /],
  [
    'the credit limit, where it has less left',
    { credits: 0.001, spend_limit: daily(0.02) },
    '$1.25 of $1.251 in totaland 1 other limit',
  ],
  [
    'the daily limit, where it has less left',
    { credits: 3, spend_limit: daily(0.02), rate_limits: RATES },
    /^\$0\.02 of \$0\.03 a dayResets .*and 3 other limits$/,
  ],
])('a list of keys shows what a key used of %s', (_, change, text) => {
  expect(read('used', change)).toMatch(text);
});

it.each<[string, Partial<ApiKey>]>([
  ['Active', { spend_limit: daily(0.029999) }],
  ['Limit reached', { spend_limit: daily(0.03) }],
  ['Limit reached', { spend_limit: daily(0.03), expires_at: soon }],
  ['Credit limit reached', { credits: 0, spend_limit: daily(0.03) }],
  ['Expired', { expired: true, spend_limit: daily(0.03) }],
  ['Revoked', { status: 'revoked', spend_limit: daily(0.03) }],
])('a list of keys says “%s” for what stops the calls of a key first', (status, change) => {
  expect(read('status', change)).toBe(status);
});

it.each<[string, Partial<ApiKey>, Partial<BlockedKey>]>([
  ['Limit reached', {}, {}],
  ['Limit reached', { expires_at: soon }, { error_code: 'RATE_LIMIT_EXCEEDED' }],
  ['No credit', {}, { error_code: 'INSUFFICIENT_CREDITS', limit: 'account' }],
  ['Credit limit reached', {}, { error_code: 'INSUFFICIENT_CREDITS', limit: 'key' }],
  ['Revoked', { status: 'revoked' }, {}],
  ['Active', {}, { key_id: 'key_2' }],
])('a list of keys says “%s” for a key whose calls were refused', (status, change, limit) => {
  expect(read('status', change, [{ ...blocked, ...limit }])).toBe(status);
});

it('a list of keys by status begins with those that are stopped, and names an account without credit', () => {
  const status = buildStatusColumn({ blocked: [blocked], broke: false });
  const keys: [string, Partial<ApiKey>][] = [
    ['active', {}],
    ['revoked', { status: 'revoked' }],
    ['limit', { id: blocked.key_id }],
    ['used up', { credits: 0 }],
    ['expiring', { expires_at: soon }],
    ['expired', { expired: true }],
  ];
  const rows = keys.map(([name, change]) => ({ ...KEY, id: 'key_2', ...change, name }));
  const names = (direction: 'asc' | 'desc') =>
    sortRows(rows, { by: 'status', direction }, [status]).map(({ name }) => name);
  const stoppedFirst = ['used up', 'limit', 'expired', 'expiring', 'active', 'revoked'];
  expect(names('asc')).toEqual(stoppedFirst);
  expect(names('desc')).toEqual(stoppedFirst.toReversed());
  // The account is at $0.
  const stateOf = readKeyStates({ blocked: [], broke: true });
  expect(rows.map(stateOf)).toEqual([
    ...['no-credit', 'revoked', 'no-credit'],
    ...['used-up', 'no-credit', 'expired'],
  ]);
});

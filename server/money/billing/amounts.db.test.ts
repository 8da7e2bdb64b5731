import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { reconcile } from '../reconcile/reconcile';

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
let limitedKey: string;
beforeAll(async () => {
  harness = await startHarness({ fakeStripe: true, env: { MACHINE_PAYMENTS_SANDBOX: '1' } });
  person = await harness.person(10_000_000n);
  limitedKey = (await harness.addKey(person.accountId, 1_000_000n)).keyId;
});
afterAll(() => harness.close());

/** Every place where a client sends an amount of money, and the name of its field. */
const PLACES: Record<string, () => { method: string; path: string; field: string }> = {
  'a checkout': () => ({ method: 'POST', path: '/v1/billing/checkout', field: 'amount_usd' }),
  'a machine top-up': () => ({ method: 'POST', path: '/v1/billing/machine-topup', field: 'amount_usd' }),
  'the credits of a new key': () => ({ method: 'POST', path: '/v1/keys', field: 'credits' }),
  'more credits of a key': () => ({
    method: 'POST',
    path: `/v1/keys/${limitedKey}/credits`,
    field: 'amount',
  }),
  'the amount of a reload': () => ({
    method: 'PUT',
    path: '/v1/billing/preferences',
    field: 'autoReloadAmount',
  }),
  'the threshold of a reload': () => ({
    method: 'PUT',
    path: '/v1/billing/preferences',
    field: 'autoReloadThreshold',
  }),
  'the limit of a month': () => ({ method: 'PUT', path: '/v1/billing/preferences', field: 'budgetLimit' }),
};
/** As written in the body. */
const NO_AMOUNTS = [
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    '1e309',
    '-1e309',
    '-10',
    '-0.01',
    '"10"',
    '"NaN"',
    'true',
    'false',
    '[10]',
  ],
  ...[
    '{}',
    '{"$gt":0}',
    '1e-7',
    '0.0000001',
    '9007199254740992',
    '1e21',
    '10.0000001',
    '""',
    '0x10',
    '010',
    '+1',
    '1_000',
  ],
];
/** Null removes the monthly limit, and creates a key without one of its own. */
const NULL_IS_NONE = new Set(['the limit of a month', 'the credits of a new key']);
/** Charged to a card, which has no unit below a cent. */
const WHOLE_CENTS = ['a checkout', 'a machine top-up', 'the amount of a reload'];

async function readState(accountId: string): Promise<unknown> {
  const { sql } = harness.runtime;
  const [account] = await sql`select * from accounts where id = ${accountId}`;
  const keys =
    await sql`select id, credits_microusd from api_keys where account_id = ${accountId} order by id`;
  const [orders] = await sql`select count(*)::int as n from orders where account_id = ${accountId}`;
  return { account, keys, orders };
}

describe.each(Object.entries(PLACES))('the amount in %s', (name, place) => {
  const cases = [
    ...NO_AMOUNTS,
    ...(NULL_IS_NONE.has(name) ? [] : ['null']),
    ...(WHOLE_CENTS.includes(name) ? ['10.001', '5.555', '-0', '0'] : []),
  ];

  it.each(cases)('refuses %s, names the field, and writes nothing @A15', async (text) => {
    const { method, path, field } = place();
    const before = await readState(person.accountId);
    const answer = await harness.request(method, path, { key: person.key, raw: `{"${field}":${text}}` });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: 'INVALID_INPUT' } } });
    expect(['body', field]).toContain(answer.body.error.fields[0].path.split('[')[0]);
    expect(await readState(person.accountId)).toEqual(before);
  });
});

it('stores minus zero as 0 where zero is allowed @A15', async () => {
  const preferences = await harness.request('PUT', '/v1/billing/preferences', {
    key: person.key,
    raw: '{"autoReloadThreshold":-0,"budgetLimit":-0}',
  });
  expect(preferences.status).toBe(200);
  expect(preferences.text).not.toMatch(/:-0[,}]/);
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { reconcile } from '../reconcile/reconcile';

let one: Harness;
let two: Harness;
beforeAll(async () => {
  one = await startHarness({ env: { ...UNLIMITED_RATES, CONCURRENT_CALLS: '50' } });
  two = await startHarness({ env: { ...UNLIMITED_RATES, CONCURRENT_CALLS: '50' }, peer: one });
});
afterAll(async () => {
  await two.close();
  await one.close();
});
afterEach(async () => {
  expect((await reconcile(one.runtime)).differences).toEqual([]);
});

const at = (n: number) => (n % 2 ? one : two);
const spend = (n: number, key: string, micros: number) =>
  at(n).request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: micros / 1e6 } },
  });
const toMicros = (usd: number) => BigInt(Math.round(usd * 1e6));
const fetchBalance = async (accountId: string) => {
  const [row] = await one.runtime.sql<{ balance: bigint; held: bigint }[]>`
    select balance_microusd as balance, held_microusd as held from accounts where id = ${accountId}`;
  return { balance: row?.balance ?? -1n, held: row?.held ?? -1n };
};

it('lowers the balance by exactly the reported costs of a hundred calls with ten keys in two processes @A2', async () => {
  const person = await one.person(50_000_000n);
  const keys = await Promise.all(Array.from({ length: 10 }, () => one.addKey(person.accountId)));
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => spend(n, keys[n % 10]?.key ?? '', 1 + ((n * 7919) % 400_000))),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const costs = answers.reduce((sum, { body }) => sum + toMicros(body.usage.cost), 0n);
  expect(costs).toBeGreaterThan(0n);
  expect(await fetchBalance(person.accountId)).toEqual({ balance: 50_000_000n - costs, held: 0n });
});

it('runs exactly the covered calls of a hundred at the last cent over ten keys, and never goes below zero @A1', async () => {
  const person = await one.person(370_000n);
  const keys = await Promise.all(Array.from({ length: 10 }, () => one.addKey(person.accountId)));
  let calling = true;
  const seen: bigint[] = [];
  const watch = async () => {
    while (calling) {
      const { balance, held } = await fetchBalance(person.accountId);
      seen.push(balance, balance - held);
    }
  };
  const watching = watch();
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) => spend(n, keys[n % 10]?.key ?? '', 10_000)),
  );
  calling = false;
  await watching;
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(37);
  expect(
    answers.filter(({ status, body }) => status === 402 && body.error.code === 'INSUFFICIENT_CREDITS'),
  ).toHaveLength(63);
  expect(seen.length).toBeGreaterThan(2);
  expect(seen.every((amount) => amount >= 0n)).toBe(true);
  expect(await fetchBalance(person.accountId)).toEqual({ balance: 0n, held: 0n });
});

it('never spends more than the account has, whatever is added to which keys while they spend @A18', async () => {
  const act = fc.record({
    key: fc.integer({ min: 0, max: 3 }),
    add: fc.boolean(),
    micros: fc.integer({ min: 1, max: 300_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 10, maxLength: 40 }), async (acts) => {
      const person = await one.person(500_000n);
      const keys = await Promise.all(Array.from({ length: 4 }, () => one.addKey(person.accountId, 50_000n)));
      const allowed = new Map(keys.map(({ keyId }) => [keyId, 50_000n]));
      let spent = 0n;
      await Promise.all(
        acts.map(async ({ key: index, add, micros }, n) => {
          const { key, keyId } = keys[index] ?? { key: '', keyId: '' };
          if (!add) {
            const { status, body } = await spend(n, key, micros);
            expect([200, 402]).toContain(status);
            if (status === 200) spent += toMicros(body.usage.cost);
            return;
          }
          allowed.set(keyId, (allowed.get(keyId) ?? 0n) + BigInt(micros));
          const json = { amount: micros / 1e6 };
          const added = await at(n).request('POST', `/v1/keys/${keyId}/credits`, { key: person.key, json });
          expect(added.status).toBe(200);
        }),
      );
      expect(spent).toBeLessThanOrEqual(500_000n);
      expect(await fetchBalance(person.accountId)).toEqual({ balance: 500_000n - spent, held: 0n });
      const rows = await one.runtime.sql<{ id: string; credits: bigint; used: bigint }[]>`
        select id, credits_microusd as credits, credits_used_microusd as used from api_keys
        where account_id = ${person.accountId} and credits_microusd is not null`;
      for (const { id, credits, used } of rows) {
        // Allowances are exactly what was added; using them adds no money to the account.
        expect(credits).toBe(allowed.get(id));
        expect(used).toBeLessThanOrEqual(credits);
      }
    }),
    { numRuns: 5 },
  );
});

it('does not treat an allowance above the balance as money: the account pays only what it has @A18', async () => {
  const person = await one.person(30_000n);
  const { key, keyId } = await one.addKey(person.accountId, 10_000n);
  const added = await one.request('POST', `/v1/keys/${keyId}/credits`, {
    key: person.key,
    json: { amount: 1000 },
  });
  expect(added.body.credits).toBe(1000.01);
  const statuses = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => (await spend(n, key, 10_000)).status),
  );
  expect(statuses.sort()).toEqual([200, 200, 200, 402, 402, 402]);
  for (const amount of [0, -1, -0.000001])
    for (const [path, json] of [
      [`/v1/keys/${keyId}/credits`, { amount }],
      ['/v1/keys', { credits: amount === 0 ? -0.5 : amount }],
    ] as const)
      expect((await one.request('POST', path, { key: person.key, json })).status).toBe(400);
});

it('prevents any statement from writing a balance below zero, or a hold above it @A1', async () => {
  const { accountId } = await one.person(10_000n);
  const { sql } = one.runtime;
  for (const change of [
    'balance_microusd = balance_microusd - 10001',
    'held_microusd = held_microusd + 10001',
    'held_microusd = held_microusd - 1',
    'debt_microusd = -1',
  ])
    await expect(
      sql.unsafe(`update accounts set ${change} where id = $1`, [accountId]),
    ).rejects.toMatchObject({
      code: '23514',
    });
  expect(await fetchBalance(accountId)).toEqual({ balance: 10_000n, held: 0n });
});

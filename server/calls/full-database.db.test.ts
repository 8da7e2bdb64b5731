import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { reconcile } from '../money/reconcile/reconcile';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { JOBS: 'off' }, pace: { callRetryMs: 5 } });
});
afterEach(async () => {
  await harness.runtime.sql.unsafe(
    'drop trigger if exists refusing on calls; drop trigger if exists refusing on ledger_entries',
  );
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});
afterAll(() => harness.close());

/** SQLSTATEs of PostgreSQL when it cannot execute a statement. */
const STATES = {
  'its disk is full': '53100',
  'it is out of memory': '53200',
  'it takes no writes': '25006',
  'it is stopped': '57P01',
  'transactions keep conflicting': '40001',
};

/** Makes every insert into the table fail with the SQLSTATE. */
const refuseInserts = (table: string, state: string) =>
  harness.runtime.sql.unsafe(`
    create or replace function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test' using errcode = '${state}'; end $$;
    create trigger refusing before insert on ${table} for each row execute function refuse()`);

const spend = (key: string) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } },
  });

const readMoney = async (accountId: string) =>
  (
    await harness.runtime.sql`
    select balance_microusd as balance, held_microusd as held from accounts where id = ${accountId}`
  )[0];

it.each(Object.entries(STATES))(
  'a call that starts while %s is 503 and costs nothing @E16',
  async (_name, state) => {
    const { key, accountId } = await harness.person(1_000_000n);
    await refuseInserts('calls', state);
    const { status, headers, body } = await spend(key);
    expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
    expect(JSON.stringify(body)).not.toContain('refused by the test');
    expect(await readMoney(accountId)).toEqual({ balance: 1_000_000n, held: 0n });
    await harness.runtime.sql`drop trigger refusing on calls`;
    expect((await spend(key)).status).toBe(200);
    expect(await readMoney(accountId)).toEqual({ balance: 750_000n, held: 0n });
  },
);

it('a call that ends while the disk is full is 503, and its hold is released once there is space @A3 @E16', {
  timeout: 120_000,
}, async () => {
  const { key, accountId } = await harness.person(1_000_000n);
  await refuseInserts('ledger_entries', '53100');
  const { status, body } = await spend(key);
  expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
  const { sql } = harness.runtime;
  await sql`drop trigger refusing on ledger_entries`;
  await sql`update calls set lease_expires_at = now() - interval '1 second' where account_id = ${accountId}`;
  expect(await reapElsewhere(harness.runtime)).toBe(1);
  expect(await readMoney(accountId)).toEqual({ balance: 1_000_000n, held: 0n });
  expect((await spend(key)).status).toBe(200);
});

it('a call that runs before its admission is 503 while the disk is full, costs nothing, and is not committed later', {
  timeout: 120_000,
}, async () => {
  const { key, keyId, accountId } = await harness.person(1_000_000n);
  harness.runtime.keyStates.report(keyId, 1_000_000_000n, []);
  await refuseInserts('ledger_entries', '53100');
  const { status, body } = await spend(key);
  expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
  await harness.runtime.sql`drop trigger refusing on ledger_entries`;
  expect(await readMoney(accountId)).toEqual({ balance: 1_000_000n, held: 0n });
  expect((await spend(key)).status).toBe(200);
  expect(await readMoney(accountId)).toEqual({ balance: 750_000n, held: 0n });
});

import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { reconcile } from '../money/reconcile/reconcile';
import { type Harness, startHarness } from '../testing/harness';
import { reapElsewhere } from '../testing/reap-elsewhere';

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

/** As PostgreSQL says it where the statement cannot be carried out: its disk is full, it is read-only, it stops. */
const STATES = {
  'its disk is full': '53100',
  'it is out of memory': '53200',
  'it takes no writes': '25006',
  'it is stopped': '57P01',
  'two transactions want the same again and again': '40001',
};

/** Every insert into the table fails so, from now on. */
const refuseInserts = (table: string, state: string) =>
  harness.runtime.sql.unsafe(`
    create or replace function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test' using errcode = '${state}'; end $$;
    create trigger refusing before insert on ${table} for each row execute function refuse()`);

/** Without `seconds` it is an instant call: opened, charged and recorded in one statement. */
const spend = (key: string, seconds = 0.001) =>
  harness.ask('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25, seconds } },
  });

const moneyOf = async (accountId: string) =>
  (
    await harness.runtime.sql`
    select balance_microusd as balance, held_microusd as held from accounts where id = ${accountId}`
  )[0];

it.each(Object.entries(STATES))(
  'a call that begins where %s is 503, and costs nothing',
  async (_name, state) => {
    const { key, accountId } = await harness.person(1_000_000n);
    await refuseInserts('calls', state);
    const { status, headers, body } = await spend(key);
    expect([status, body.error.code, headers['retry-after']]).toEqual([503, 'UNAVAILABLE', '5']);
    expect(JSON.stringify(body)).not.toContain('refused by the test');
    expect(await moneyOf(accountId)).toEqual({ balance: 1_000_000n, held: 0n });
    await harness.runtime.sql`drop trigger refusing on calls`;
    expect((await spend(key)).status).toBe(200);
    expect(await moneyOf(accountId)).toEqual({ balance: 750_000n, held: 0n });
  },
);

it('a call that ends where the disk is full is 503, and is released when there is room again', {
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
  expect(await moneyOf(accountId)).toEqual({ balance: 1_000_000n, held: 0n });
  expect((await spend(key)).status).toBe(200);
});

it('an instant call is 503 where the disk is full, costs nothing, and is not done later', {
  timeout: 120_000,
}, async () => {
  const { key, accountId } = await harness.person(1_000_000n);
  await refuseInserts('ledger_entries', '53100');
  const { status, body } = await spend(key, 0);
  expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
  await harness.runtime.sql`drop trigger refusing on ledger_entries`;
  expect(await moneyOf(accountId)).toEqual({ balance: 1_000_000n, held: 0n });
  expect((await spend(key, 0)).status).toBe(200);
  expect(await moneyOf(accountId)).toEqual({ balance: 750_000n, held: 0n });
});

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { newId } from '../../kit/ids';
import { reconcile } from '../../money/reconcile/reconcile';

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web', tools: [probe.tool] });
});
afterAll(() => harness.close());
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

const ids = (n: number) => Array.from({ length: n }, () => newId('request'));
const makeCalls = (skill: string, of: readonly string[]) =>
  of.map((id) => ({ tool: 'probe', skill, input: { id } }));
const batch = (key: string, calls: object[], headers: Record<string, string> = {}, at = harness) =>
  at.request('POST', '/v1/tools/batch', { key, json: { calls }, headers });
const listJobs = async (keyId: string) => [
  ...(await harness.runtime.sql`
    select status, error_code, count(*)::int as n from jobs where key_id = ${keyId} group by 1, 2 order by 1`),
];
const held = async (accountId: string) =>
  (await harness.runtime.sql`select held_microusd from accounts where id = ${accountId}`)[0]?.held_microusd;
/**
 * Makes PostgreSQL refuse rows of this key as during startup, until the returned function is
 * called.
 */
async function refuseRows(table: 'calls' | 'jobs', keyId: string): Promise<() => Promise<unknown>> {
  const { sql } = harness.runtime;
  const name = `refuse_${newId('request')}`;
  await sql.unsafe(`
    create function ${name}() returns trigger language plpgsql as $$
    begin raise exception 'starting up' using errcode = '57P03'; end $$;
    create trigger ${name} before insert on ${table} for each row when (new.key_id = '${keyId}')
      execute function ${name}()`);
  return () => sql.unsafe(`drop function ${name} cascade`);
}

describe('elements of a batch that wait for a slot', () => {
  it('do not start once the process stops, and their jobs fail with UNAVAILABLE', async () => {
    const one = await startHarness({ role: 'web', tools: [probe.tool], peer: harness });
    const { key, keyId, accountId } = await harness.person(1_000_000n);
    const named = ids(12);
    const answers = [named.slice(0, 6), named.slice(6)].map((part) =>
      batch(key, makeCalls('wait_paid', part), { prefer: 'wait=0' }, one),
    );
    await Promise.all(answers);
    await expect
      .poll(() => listJobs(keyId))
      .toEqual([
        { status: 'pending', error_code: null, n: 7 },
        { status: 'running', error_code: null, n: 5 },
      ]);
    const stopped = one.stop(2000);
    // The first waiting call may have requested a slot just before the stop.
    await expect.poll(() => one.runtime.running.opensInFlight).toBe(0);
    // Slots are released during the stop, but no waiting call takes them.
    probe.release(...named);
    await stopped;
    expect(await listJobs(keyId)).toEqual([
      { status: 'completed', error_code: null, n: 5 },
      { status: 'failed', error_code: 'UNAVAILABLE', n: 7 },
    ]);
    expect(named.filter((id) => probe.runs(id) > 0)).toHaveLength(5);
    expect(await held(accountId)).toBe(0n);
    await one.close();
  });

  it('survive a short outage of the database', async () => {
    const { key, keyId } = await harness.person(1_000_000n);
    const [busy, waiting] = [ids(5), ids(3)];
    const first = batch(key, makeCalls('wait', busy));
    await probe.waitUntilStarted(...busy);
    const second = batch(key, makeCalls('ok_paid', waiting));
    await expect.poll(() => harness.runtime.running.slots.hasWaiting(keyId)).toBe(true);
    const allow = await refuseRows('calls', keyId);
    probe.release(...busy);
    await first;
    await new Promise((done) => setTimeout(done, 300));
    await allow();
    const { body } = await second;
    expect(body.results.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('success'));
  });

  it('do not run if another request has taken over their Idempotency-Key', async () => {
    const { key, keyId, accountId } = await harness.person(1_000_000n);
    const [busy, waiting] = [ids(5), ids(1)];
    const first = batch(key, makeCalls('wait', busy));
    await probe.waitUntilStarted(...busy);
    const second = batch(key, makeCalls('ok_paid', waiting), { 'idempotency-key': waiting[0] as string });
    await expect.poll(() => harness.runtime.running.slots.hasWaiting(keyId)).toBe(true);
    // As another process does after our lease expired during a stall.
    await harness.runtime.sql`update idempotency_keys set fence = 'another' where account_id = ${accountId}`;
    // All slots stay in use: an attempt from before the takeover may still be in flight.
    expect((await second).body.error.code).toBe('IDEMPOTENCY_IN_PROGRESS');
    probe.release(...busy);
    await first;
    expect(probe.runs(waiting[0] as string)).toBe(0);
    await harness.runtime.sql`delete from idempotency_keys where account_id = ${accountId}`;
  });

  it('leave no jobs behind if the quota is used up', async () => {
    const { key, keyId } = await harness.person();
    for (let sent = 0; sent < 6; sent++) await batch(key, makeCalls('ok', ids(10)));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => batch(key, makeCalls('ok', ids(10)), { prefer: 'wait=0' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]));
    expect(await listJobs(keyId)).toEqual([]);
  });
});

it('the response of a batch with an uncertain call is not stored: sent again, only that call runs', async () => {
  const { key, keyId, accountId } = await harness.person(1_000_000n);
  const [first, second] = ids(2) as [string, string];
  const calls = [...makeCalls('ok_paid', [first]), ...makeCalls('queued', [second])];
  const send = () => batch(key, calls, { 'idempotency-key': first });
  const allow = await refuseRows('jobs', keyId);
  const refused = await send();
  await allow();
  expect(refused.status).toBe(200);
  expect(refused.body.results[0].status).toBe('success');
  expect(refused.body.results[1]).toMatchObject({ status: 'error', error: { code: 'UNAVAILABLE' } });
  expect(refused.body.results[1]).not.toHaveProperty('billed');
  // It is unknown whether it started until its lease expires.
  await harness.runtime.sql`update idempotency_keys set lease_expires_at = now() - interval '1 second'
    where account_id = ${accountId} and finished_at is null`;
  const again = await send();
  expect(again.body.results[0].id).toBe(refused.body.results[0].id);
  expect(again.body.results[1].status).toBe('success');
  expect(again.headers).not.toHaveProperty('location');
  expect([probe.runs(first), probe.runs(second)]).toEqual([1, 1]);
  const [account] = await harness.runtime.sql`select balance_microusd from accounts where id = ${accountId}`;
  expect(account?.balance_microusd).toBe(1_000_000n - PROBE_PRICE);
});

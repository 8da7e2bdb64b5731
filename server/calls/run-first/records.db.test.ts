import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';
import { grantCredit } from '../../money/billing/ledger';
import { reconcile } from '../../money/reconcile/reconcile';
import { COUNTING_PRICE, createCountingTool } from '../testing/counting-tool';

const counting = createCountingTool({ idempotent: true });

let one: Harness;
let two: Harness;
beforeAll(async () => {
  one = await startHarness({ tools: [counting.tool] });
  two = await startHarness({ tools: [counting.tool], peer: one });
});
afterEach(async () => {
  vi.restoreAllMocks();
  expect((await reconcile(one.runtime)).differences).toEqual([]);
});
afterAll(async () => {
  await two.close();
  await one.close();
});

/** A person with credit, as if the database had just reported on the key to `one`. */
async function knownPerson(credit: bigint) {
  const person = await one.person(credit);
  one.runtime.keyStates.report(person.keyId, 1_000_000_000n, []);
  return person;
}

const call = (key: string, idempotency: string, sent: object = { n: 1 }, at = one) =>
  at.request('POST', '/v1/tools/call', {
    key,
    headers: { 'idempotency-key': idempotency },
    json: { tool: 'counting', skill: 'count', input: sent },
  });

const readTotals = async (accountId: string) =>
  (
    await one.runtime.sql`select a.balance_microusd as balance, a.held_microusd as held,
      (select count(*)::int from usage_records u where u.account_id = a.id) as records,
      (select count(*)::int from ledger_entries e where e.account_id = a.id and e.kind = 'call') as charges,
      (select count(*)::int from idempotency_keys i where i.account_id = a.id) as kept
      from accounts a where a.id = ${accountId}`
  )[0];

it('one statement admits, charges, records and stores the response, which is replayed unchanged', async () => {
  const { key, accountId } = await knownPerson(1_000n);
  const { admit, commit, end } = one.runtime.flush.counts();
  const first = await call(key, 'once');
  expect(first.body).toMatchObject({ status: 'success', usage: { cost: 0.0001, credits_remaining: 0.0009 } });
  const after = one.runtime.flush.counts();
  expect(after.commit.flushes).toBe(commit.flushes + 1);
  expect([after.admit, after.end]).toEqual([admit, end]);
  for (const at of [one, two]) {
    const again = await call(key, 'once', { n: 1 }, at);
    expect(again.body).toEqual(first.body);
    expect(again.headers['idempotent-replayed']).toBe('true');
  }
  expect(await readTotals(accountId)).toEqual({ balance: 900n, held: 0n, records: 1, charges: 1, kept: 1 });
});

it('a key with another body is a mismatch, also for a body that is invalid', async () => {
  const { key, accountId } = await knownPerson(1_000n);
  await call(key, 'mine');
  for (const sent of [{ n: 2 }, { n: 'two' }])
    expect((await call(key, 'mine', sent)).body.error.code).toBe('IDEMPOTENCY_MISMATCH');
  expect(await readTotals(accountId)).toMatchObject({ records: 1, kept: 1 });
});

it('identical requests of one moment in two processes are charged once and answered alike', async () => {
  const { key, accountId } = await knownPerson(1_000_000n);
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      [one, two, one, two, one].map((at) => call(key, `round-${round}`, { n: round }, at)),
    );
    for (const { status, body } of answers) {
      expect(status).toBe(200);
      expect(body).toEqual(answers[0]?.body);
    }
  }
  expect(await readTotals(accountId)).toMatchObject({ records: 5, charges: 5, kept: 5, held: 0n });
});

it('the elements of a batch store their responses with their charges, each in its own record', async () => {
  const { key, accountId } = await knownPerson(1_000n);
  const send = (at: Harness) =>
    at.request('POST', '/v1/tools/batch', {
      key,
      headers: { 'idempotency-key': 'together' },
      json: { calls: [1, 2].map((n) => ({ tool: 'counting', skill: 'count', input: { n } })) },
    });
  const before = one.runtime.flush.counts();
  const first = await send(one);
  const after = one.runtime.flush.counts();
  expect([after.admit, after.end]).toEqual([before.admit, before.end]);
  const runs = first.body.results.map(({ output: { run } }: { output: { run: number } }) => run);
  expect(new Set(runs).size).toBe(2);
  // As if the process had died before the response of the batch was stored.
  await one.runtime.sql`delete from idempotency_keys where account_id = ${accountId} and part = 0`;
  expect((await send(two)).body).toEqual(first.body);
  expect(await readTotals(accountId)).toEqual({ balance: 800n, held: 0n, records: 2, charges: 2, kept: 3 });
});

it('a group of many accounts stores the balance of each', async () => {
  const people = await Promise.all(Array.from({ length: 12 }, (_, n) => knownPerson(BigInt(n + 1) * 1_000n)));
  const first = await Promise.all(people.map(({ key }) => call(key, 'grouped')));
  const again = await Promise.all(people.map(({ key }) => call(key, 'grouped', { n: 1 }, two)));
  expect(again.map(({ body }) => body)).toEqual(first.map(({ body }) => body));
  expect(first.map(({ body }) => body.usage.credits_remaining)).toEqual(
    people.map((_, n) => ((n + 1) * 1_000 - 100) / 1_000_000),
  );
});

it('a refused call leaves its key free', async () => {
  const { key, accountId } = await knownPerson(COUNTING_PRICE - 1n);
  expect((await call(key, 'poor')).status).toBe(402);
  expect(await readTotals(accountId)).toMatchObject({ records: 0, kept: 0 });
  await one.runtime.db.transaction((tx) =>
    grantCredit(tx, { accountId, amount: 1n, ref: `test:${newId('request')}`, memo: 'test' }),
  );
  expect((await call(key, 'poor')).status).toBe(200);
});

it('the failure of the tool is stored and replayed', async () => {
  const { key, accountId } = await knownPerson(1_000n);
  const failed = await call(key, 'fails', { n: 1, fails: true });
  expect(failed).toMatchObject({ status: 502, body: { error: { code: 'HANDLER_ERROR', billed: false } } });
  const again = await call(key, 'fails', { n: 1, fails: true }, two);
  expect(again).toMatchObject({ status: 502, headers: { 'idempotent-replayed': 'true' } });
  expect(await readTotals(accountId)).toMatchObject({ balance: 1_000n, records: 1, charges: 0, kept: 1 });
});

it.each([true, false])('a statement with a lost response counts once; executed: %s', async (isExecuted) => {
  const { key, accountId } = await knownPerson(1_000n);
  const { flush } = one.runtime;
  const { commitCall } = flush;
  vi.spyOn(flush, 'commitCall').mockImplementationOnce(async (request) => {
    if (isExecuted) await commitCall(request);
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  });
  const first = await call(key, 'lost');
  expect(first).toMatchObject({ status: 200, body: { usage: { credits_remaining: 0.0009 } } });
  expect((await call(key, 'lost', { n: 1 }, two)).body).toEqual(first.body);
  expect(await readTotals(accountId)).toMatchObject({ balance: 900n, records: 1, charges: 1, kept: 1 });
});

it('a statement with a lost response is answered as stored, although the balance has changed', async () => {
  const { key, accountId } = await knownPerson(1_000n);
  const { flush } = one.runtime;
  const { commitCall } = flush;
  vi.spyOn(flush, 'commitCall').mockImplementationOnce(async (request) => {
    await commitCall(request);
    await call(key, 'meanwhile', { n: 2 });
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  });
  const first = await call(key, 'lost');
  expect(first.body.usage.credits_remaining).toBe(0.0009);
  expect((await call(key, 'lost', { n: 1 }, two)).body).toEqual(first.body);
  expect(await readTotals(accountId)).toMatchObject({ balance: 800n, records: 2, charges: 2, kept: 2 });
});

it('a record that another request acquires during the statement keeps its owner', async () => {
  const { key, accountId } = await knownPerson(1_000n);
  const { sql } = one.runtime;
  const answer = await sql.begin(async (tx) => {
    // The statement has found no record, and waits for the account.
    await tx`select 1 from accounts where id = ${accountId} for update`;
    const sent = call(key, 'raced');
    const countWaits = async () =>
      (
        await sql`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%commit_calls%'`
      ).length;
    await expect.poll(countWaits).toBe(1);
    await sql`insert into idempotency_keys (account_id, key, part, fingerprint, call_id, rerunnable, fence, lease_expires_at, created_at)
      values (${accountId}, 'raced', 0, ${Buffer.of(0)}, 'call_other', true, 'other process', now() + interval '1 hour', now())
      on conflict (account_id, key, part) do update set fence = excluded.fence, call_id = excluded.call_id,
        fingerprint = excluded.fingerprint`;
    return { sent };
  });
  expect((await answer.sent).status).toBe(200);
  const [record] = await sql`select fence, finished_at from idempotency_keys where account_id = ${accountId}`;
  expect(record).toEqual({ fence: 'other process', finished_at: null });
  expect(await readTotals(accountId)).toMatchObject({ balance: 900n, records: 1, charges: 1, kept: 1 });
});

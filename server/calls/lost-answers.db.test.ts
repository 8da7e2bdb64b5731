import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectionReset, interceptStatement, loseResponse } from '@/test/support/intercept-statement';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { newId } from '../kit/ids';
import { reconcile } from '../money/reconcile/reconcile';

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    role: 'web',
    tools: [probe.tool],
    env: { WAIT_SECONDS: '1' },
    pace: { callRetryMs: 50 },
  });
});
afterAll(() => harness.close());
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

const call = (key: string, skill: string, id: string, headers: Record<string, string> = {}) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'probe', skill, input: { id } }, headers });
const readTotals = async (keyId: string) =>
  (
    await harness.runtime
      .sql`select credits_used_microusd as used, running, (select count(*)::int from usage_records
      where key_id = ${keyId}) as records from api_keys where id = ${keyId}`
  )[0];

/**
 * Loses all responses to promotions; the first is carried out, or none.
 * @returns how often one was sent, and a function that restores the connection
 */
function losePromotions(first: 'carried out' | 'not carried out') {
  const { flush } = harness.runtime;
  const { promoteCall } = flush;
  const state = { sent: 0 };
  flush.promoteCall = async (request) => {
    if (++state.sent === 1 && first === 'carried out') await promoteCall(request);
    throw connectionReset();
  };
  return { state, restore: () => Object.assign(flush, { promoteCall }) };
}

it.each([
  ['carried out', 202],
  ['not carried out', 200],
] as const)(
  'an Idempotency-Key has one response when a promotion was %s and its response was lost',
  async (first, status) => {
    const { key, keyId } = await harness.person(100_000n);
    const [id, idempotency] = [newId('request'), newId('request')];
    const headers = { 'idempotency-key': idempotency, prefer: 'wait=0' };
    const { state, restore } = losePromotions(first);
    const sent = call(key, 'wait_paid', id, headers);
    await expect.poll(() => state.sent, { timeout: 30_000 }).toBeGreaterThan(1);
    probe.release(id);
    const answer = await sent;
    restore();
    expect(answer.status).toBe(status);
    const again = await call(key, 'wait_paid', id, headers);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([status, 'true']);
    expect(again.body).toEqual(answer.body);
    expect(again.headers.location).toBe(answer.headers.location);
    expect(probe.runs(id)).toBe(1);
    expect(await readTotals(keyId)).toEqual({ used: PROBE_PRICE, running: 0, records: 1 });
    if (status === 202)
      expect((await harness.request('GET', answer.body.poll_url, { key })).body.status).toBe('completed');
  },
  60_000,
);

it('a call is not opened again after the response of the database was lost @A3', async () => {
  const { key, keyId } = await harness.person(100_000n);
  // A cached key, so calls start before the key is confirmed.
  await harness.request('GET', '/v1/billing/balance', { key });
  const id = newId('request');
  const restore = loseResponse(harness, 'admit_calls');
  const answer = await call(key, 'queued_paid', id);
  restore();
  expect(answer.body.error.code).toBe('UNAVAILABLE');
  probe.release(id);
  await expect.poll(() => readTotals(keyId)).toEqual({ used: PROBE_PRICE, running: 0, records: 1 });
  expect(probe.runs(id)).toBe(1);
});

it.each(['at once', 'late'])(
  'a call that PostgreSQL admitted %s, without an answer, is ended by the next round of the reaper @E4',
  async (when) => {
    const { key, keyId } = await harness.person(100_000n);
    const { flush, running } = harness.runtime;
    const { admitCall } = flush;
    let carryOut = async () => {};
    flush.admitCall = async (request) => {
      carryOut = async () => void (await admitCall(request));
      if (when === 'at once') await carryOut();
      throw connectionReset();
    };
    const id = newId('request');
    const headers = { 'idempotency-key': newId('request') };
    expect((await call(key, 'ok_paid', id, headers)).status).toBe(503);
    Object.assign(flush, { admitCall });
    if (when === 'late') {
      await running.reap();
      await carryOut();
    }
    await running.reap();
    expect(await readTotals(keyId)).toEqual({ used: 0n, running: 0, records: 1 });
    expect((await call(key, 'ok_paid', id, headers)).body.error).toMatchObject({
      code: 'HANDLER_ERROR',
      billed: false,
    });
    expect(probe.runs(id)).toBe(0);
  },
);

it('a call does not run if another request took over its Idempotency-Key before it was opened', async () => {
  const short = await startHarness({
    role: 'web',
    tools: [probe.tool],
    env: { LEASE_SECONDS: '2' },
    peer: harness,
  });
  const { key, keyId } = await harness.person(100_000n);
  const [id, idempotency] = [newId('request'), newId('request')];
  const headers = { 'idempotency-key': idempotency };
  const send = (at: Harness) =>
    at.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'probe', skill: 'ok_paid', input: { id } },
      headers,
    });
  const { sql } = harness.runtime;
  // Blocks the database for longer than the lease: it neither opens the call nor renews the record,
  // and another request takes over.
  const first = await sql.begin(async (tx) => {
    await tx`select 1 from api_keys where id = ${keyId} for update`;
    const sent = send(short);
    while ((await tx`select 1 from idempotency_keys where key = ${idempotency} for update`).length === 0)
      await new Promise((done) => setTimeout(done, 5));
    await new Promise((done) => setTimeout(done, 2_100));
    await tx`update idempotency_keys set fence = 'another' where key = ${idempotency}`;
    return { sent };
  });
  const answer = await first.sent;
  expect(answer.body.error.code).toBe('IDEMPOTENCY_IN_PROGRESS');
  expect(probe.runs(id)).toBe(0);
  expect(await readTotals(keyId)).toEqual({ used: 0n, running: 0, records: 1 });
  await sql`delete from idempotency_keys where key = ${idempotency}`;
  await short.close();
});

it('a stream that follows a deleted job ends', async () => {
  const { key } = await harness.person(100_000n);
  const [id, idempotency] = [newId('request'), newId('request')];
  const first = await call(key, 'wait', id, { 'idempotency-key': idempotency, prefer: 'wait=0' });
  probe.release(id);
  await harness.request('GET', `/v1/jobs/${first.body.job_id}`, { key });
  await harness.runtime.sql`delete from jobs where id = ${first.body.job_id}`;
  const stream = await call(key, 'wait', id, { 'idempotency-key': idempotency, accept: 'text/event-stream' });
  expect(stream.text).toContain('event: error');
  expect(stream.text).toContain('NOT_FOUND');
});

it('identical refused requests poll the database only in proportion to their number', async () => {
  const { key, accountId } = await harness.person();
  const headers = { 'idempotency-key': newId('request') };
  const { sql } = harness.runtime;
  // They take turns, and all must finish within the maximum wait of a request.
  const count = 60;
  let claims = 0;
  const countClaim = async (send: () => Promise<unknown[]>) => {
    claims += 1;
    return await send();
  };
  const restore = interceptStatement(harness, 'acquire_idempotency_key', countClaim, { each: true });
  const json = { tool: 'probe', skill: 'ok', input: { id: 5 } };
  const answers = await Promise.all(
    Array.from({ length: count }, () => harness.request('POST', '/v1/tools/call', { key, json, headers })),
  );
  restore();
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([400]));
  expect(claims).toBeLessThan(count * 6);
  expect((await sql`select 1 from idempotency_keys where account_id = ${accountId}`).length).toBe(0);
});

it('a queued call is answered 202 in time if its account is claimed while the request waits', async () => {
  const { body } = await harness.request('POST', '/v1/auth/provision');
  const { key: owner } = await harness.person();
  const id = newId('request');
  const waiting = call(body.api_key, 'queued_wait', id, { 'idempotency-key': newId('request') });
  await probe.waitUntilStarted(id);
  const token = new URL(body.claim_url).searchParams.get('token');
  const claimed = await harness.request('POST', '/v1/auth/claim', { key: owner, json: { token } });
  expect(claimed.status).toBe(200);
  const answer = await waiting;
  expect(answer.status).toBe(202);
  probe.release(id);
  const poll = () => harness.request('GET', answer.body.poll_url, { key: body.api_key });
  await expect.poll(async () => (await poll()).body.status, { timeout: 10_000 }).toBe('completed');
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { readEvents } from '@/test/support/read-events';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { runQueuedCall } from '@/test/support/run-queued-call';
import { withoutReplayedHint } from '../testing/replayed-hint';

let harness: Harness;
beforeAll(async () => {
  // Without a worker, so that queued calls stay in the queue.
  harness = await startHarness({ role: 'web', env: { WAIT_SECONDS: '0.3', JOBS: 'external' } });
});
afterAll(() => harness.close());

const call = (key: string, skill: string, input: object, headers: Record<string, string> = {}) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input }, headers });

it('the reaper of the release before names waiting calls for its workers, that of this release does not', async () => {
  const { key } = await harness.person();
  const { sql } = harness.runtime;
  const { body } = await call(key, 'background', { seconds: 0 }, { prefer: 'wait=0' });
  await sql`update calls set created_at = now() - interval '2 minutes' where id = ${body.id}`;
  // What graphile-worker offers to it.
  await sql.unsafe(`create schema graphile_worker;
    create table graphile_worker.jobs (task text, callId text, key text, locked_at timestamptz);
    create function graphile_worker.add_job(text, json, job_key text) returns void language sql as
      'insert into graphile_worker.jobs values ($1, $2->>''callId'', $3)'`);
  const named = () => sql`select task, callid, key from graphile_worker.jobs`;
  await reapElsewhere(harness.runtime);
  expect(await named()).toEqual([]);
  const reap = () => sql`select * from reap_calls(200, 3, 900, 'lost', 'lost', '{}', 90)`;
  expect(await reap()).toEqual([]);
  expect(await reap()).toEqual([]);
  expect(await named()).toEqual([{ task: 'run_call', callid: body.id, key: body.id }]);
  // Its worker, if no other has taken the call.
  const start = () =>
    sql`select job_id from start_queued_call(${body.id}, 'worker of the release before', 90)`;
  expect(await start()).toEqual([{ job_id: body.job_id }]);
  expect(await start()).toEqual([]);
  await runQueuedCall(harness.runtime, body.id);
  expect(await sql`select fence from calls where id = ${body.id}`).toEqual([
    { fence: 'worker of the release before' },
  ]);
  expect((await harness.request('POST', `/v1/jobs/${body.job_id}/cancel`, { key })).status).toBe(200);
});

it('a cancelled stream ends with the stored response of its Idempotency-Key', async () => {
  const { key } = await harness.person();
  const headers = { 'idempotency-key': 'cancelled stream' };
  const events = call(key, 'sleep', { seconds: 60 }, { ...headers, accept: 'text/event-stream' });
  let jobId: string | undefined;
  while (!jobId) {
    const rows = await harness.runtime.sql<{ id: string }[]>`select id from jobs where status = 'running'`;
    jobId = rows[0]?.id;
  }
  expect((await harness.request('POST', `/v1/jobs/${jobId}/cancel`, { key })).status).toBe(200);
  const last = readEvents((await events).text).at(-1);
  const again = await call(key, 'sleep', { seconds: 60 }, headers);
  expect(again.status).toBe(502);
  expect(last).toMatchObject({ event: 'error', data: withoutReplayedHint(again.body) });
});

it('a replayed batch element has the id of the call that ran', async () => {
  const { key } = await harness.person(1_000_000n);
  const calls = [{ tool: 'diagnostics', skill: 'flaky', input: { mode: 'throw' } }];
  const send = () =>
    harness.request('POST', '/v1/tools/batch', {
      key,
      json: { calls },
      headers: { 'idempotency-key': 'batch' },
    });
  const first = await send();
  // As after a crash before the batch response was stored.
  await harness.runtime.sql`delete from idempotency_keys where key = 'batch' and part = 0`;
  const second = await send();
  expect(withoutReplayedHint(second.body.results[0].error)).toEqual(first.body.results[0].error);
  expect(second.body.results[0].id).toBe(first.body.results[0].id);
});

it('a call does not run and costs nothing if its job was reaped while it waited for a slot', async () => {
  const { key, keyId, accountId } = await harness.person(1_000_000n);
  const { sql } = harness.runtime;
  const busy = await Promise.all(
    Array.from({ length: 5 }, () => call(key, 'sleep', { seconds: 60 }, { prefer: 'wait=0' })),
  );
  const calls = [{ tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.5 } }];
  const batch = await harness.request('POST', '/v1/tools/batch', { key, json: { calls } });
  const [pending] = batch.body.results;
  expect(pending.status).toBe('pending');
  await sql`update jobs set lease_expires_at = now() - interval '1 second' where id = ${pending.job_id}`;
  expect(await reapElsewhere(harness.runtime)).toBe(1);
  for (const { body } of busy) await harness.request('POST', `/v1/jobs/${body.job_id}/cancel`, { key });
  await expect
    .poll(async () => (await sql`select error_code from usage_records where id = ${pending.id}`)[0])
    .toEqual({ error_code: 'HANDLER_ERROR' });
  const job = await harness.request('GET', `/v1/jobs/${pending.job_id}`, { key });
  expect(job.body.status).toBe('failed');
  const [state] = await sql`select balance_microusd, held_microusd, running from accounts a
    join api_keys k on k.id = ${keyId} where a.id = ${accountId}`;
  expect(state).toEqual({ balance_microusd: 1_000_000n, held_microusd: 0n, running: 0 });
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../testing/harness';
import { readEvents } from '../../testing/read-events';
import { reapElsewhere } from '../../testing/reap-as-other-process';
import { withoutReplayedHint } from '../../testing/replayed-hint';
import { runQueuedCall } from './run-queued-call';

let harness: Harness;
beforeAll(async () => {
  // Without a worker, so that queued calls stay in the queue.
  harness = await startHarness({ role: 'web', env: { WAIT_SECONDS: '0.3', JOBS: 'external' } });
});
afterAll(() => harness.close());

const call = (key: string, skill: string, input: object, headers: Record<string, string> = {}) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input }, headers });

it('a queued call returns to the queue if its worker dies before leasing it', async () => {
  const { key } = await harness.person();
  const { sql } = harness.runtime;
  const { body } = await call(key, 'background', { seconds: 0 }, { prefer: 'wait=0' });
  const age = (minutes: number) => sql`
    with queued as (
      update graphile_worker._private_jobs set locked_by = 'dead', locked_at = now() - make_interval(mins => ${minutes})
      where key = ${body.id} returning key
    )
    update calls set created_at = now() - make_interval(mins => ${minutes}) where id in (select key from queued)`;
  const available = async () =>
    (await sql`select 1 from graphile_worker.jobs where key = ${body.id} and locked_at is null`).length;
  await age(1);
  await reapElsewhere(harness.runtime);
  expect(await available()).toBe(0);
  await age(2);
  await reapElsewhere(harness.runtime);
  expect(await available()).toBe(1);
  await runQueuedCall(harness.runtime, body.id);
  const job = await harness.request('GET', `/v1/jobs/${body.job_id}`, { key });
  expect(job.body.status).toBe('completed');
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

import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ role: 'web' });
});
afterAll(() => harness.close());

it('queues batches for a key without a free slot, up to the limit of the queue', async () => {
  const { key, keyId } = await harness.person();
  const { sql, flush } = harness.runtime;
  const call = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 60 } };
  const json = { calls: Array.from({ length: 10 }, () => call) };
  // Answered at once, so that the sender is not slowed down.
  const answers = [];
  for (let sent = 0; sent < 9; sent++)
    answers.push(
      await harness.request('POST', '/v1/tools/batch', { key, json, headers: { prefer: 'wait=0' } }),
    );
  // Refused before they become jobs: single elements, or all ten of a batch.
  const refusals = (body: { results?: { status: string }[] }) =>
    body.results ? body.results.filter(({ status }) => status === 'error').length : 10;
  expect(answers.reduce((sum, { body }) => sum + refusals(body), 0)).toBe(35);
  const jobs =
    await sql`select status, count(*)::int as n from jobs where key_id = ${keyId} group by 1 order by 1`;
  expect([...jobs]).toEqual([
    { status: 'pending', n: 50 },
    { status: 'running', n: 5 },
  ]);
  const before = flush.counts().admit.items;
  await new Promise((done) => setTimeout(done, 1500));
  // About one poll a second, however many calls wait.
  expect(flush.counts().admit.items - before).toBeLessThan(10);
});

it('runs a batch once if it is answered before its calls are open, also with a cached key', async () => {
  const { key, keyId } = await harness.person(1_000_000n);
  await harness.request('GET', '/v1/billing/balance', { key });
  const calls = [1, 2, 3].map(() => ({ tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.001 } }));
  const headers = { prefer: 'wait=0' };
  const { body } = await harness.request('POST', '/v1/tools/batch', { key, json: { calls }, headers });
  // A call that ends within a millisecond does not become a job.
  const pending: { job_id: string }[] = body.results.filter(
    ({ status }: { status: string }) => status === 'pending',
  );
  for (const { job_id } of pending)
    expect((await harness.request('GET', `/v1/jobs/${job_id}`, { key })).body.status).toBe('completed');
  const { sql } = harness.runtime;
  const [row] = await sql`
    select (select count(*) from usage_records where key_id = ${keyId})::int as records,
      (select count(*) from jobs where key_id = ${keyId})::int as jobs,
      (select window_used[1] from api_keys where id = ${keyId}) as counted`;
  expect(row).toEqual({ records: 3, jobs: pending.length, counted: 3 });
});

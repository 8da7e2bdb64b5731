import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

it('batches sent on and on to a key without a free slot wait in one line, which has an end', async () => {
  const { key, keyId } = await harness.person();
  const { sql, flush } = harness.runtime;
  const call = { tool: 'diagnostics', skill: 'sleep', input: { seconds: 60 } };
  const json = { calls: Array.from({ length: 10 }, () => call) };
  // Answered at once, so that nothing slows whoever sends them.
  const answers = [];
  for (let sent = 0; sent < 9; sent++)
    answers.push(await harness.ask('POST', '/v1/tools/batch', { key, json, headers: { prefer: 'wait=0' } }));
  // Refused before they are jobs: single elements, or all ten of a batch.
  const refusals = (body: { results?: { status: string }[] }) =>
    body.results ? body.results.filter(({ status }) => status === 'error').length : 10;
  expect(answers.reduce((sum, { body }) => sum + refusals(body), 0)).toBe(35);
  const jobs =
    await sql`select status, count(*)::int as n from jobs where key_id = ${keyId} group by 1 order by 1`;
  expect([...jobs]).toEqual([
    { status: 'pending', n: 50 },
    { status: 'running', n: 5 },
  ]);
  const before = flush.counts().exchange.items;
  await new Promise((done) => setTimeout(done, 1500));
  // One look a second or so, however many wait.
  expect(flush.counts().exchange.items - before).toBeLessThan(10);
});

it('a batch that is answered before its calls are open runs once, also with a key seen before', async () => {
  const { key, keyId } = await harness.person(1_000_000n);
  await harness.ask('GET', '/v1/billing/balance', { key });
  const calls = [1, 2, 3].map(() => ({ tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.001 } }));
  const headers = { prefer: 'wait=0' };
  const { body } = await harness.ask('POST', '/v1/tools/batch', { key, json: { calls }, headers });
  // One that ends within the millisecond is no job.
  const pending: { job_id: string }[] = body.results.filter(
    ({ status }: { status: string }) => status === 'pending',
  );
  for (const { job_id } of pending)
    expect((await harness.ask('GET', `/v1/jobs/${job_id}`, { key })).body.status).toBe('completed');
  const { sql } = harness.runtime;
  const [row] = await sql`
    select (select count(*) from usage_records where key_id = ${keyId})::int as records,
      (select count(*) from jobs where key_id = ${keyId})::int as jobs,
      (select minute_used from api_keys where id = ${keyId}) as counted`;
  expect(row).toEqual({ records: 3, jobs: pending.length, counted: 3 });
});

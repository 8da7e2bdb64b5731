import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { tools } from '../../tools/registry';

const JOBS = 40;
const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    role: 'web',
    tools: [...tools, probe.tool],
    env: { CONCURRENT_CALLS: '100', ...UNLIMITED_RATES },
  });
});
afterAll(() => harness.close());

async function begin(key: string, tool: string, skill: string, input: object) {
  const json = { tool, skill, input };
  const { body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json,
    headers: { prefer: 'wait=0' },
  });
  return { callId: body.id as string, jobId: body.job_id as string };
}

async function listLines(jobId: string) {
  const rows = await harness.runtime.sql<
    { seq: number; message: string }[]
  >`select seq, message from job_logs where job_id = ${jobId} order by seq`;
  return rows.map(({ seq, message }) => `${seq} ${message}`);
}

const line = (seq: number, message: string) => ({ seq, message, at: new Date().toISOString() });

it('jobs that log concurrently share commits, and each has all of its lines once and in order', async () => {
  const { key } = await harness.person();
  const { flush } = harness.runtime;
  const before = flush.counts().log;
  const input = { seconds: 1, log_every_seconds: 0.1 };
  const jobs = await Promise.all(
    Array.from({ length: JOBS }, () => begin(key, 'diagnostics', 'sleep', input)),
  );
  for (const { jobId } of jobs) {
    const { body } = await harness.request('GET', `/v1/jobs/${jobId}`, { key });
    expect(body.status).toBe('completed');
    const lines = await listLines(jobId);
    expect(lines).toHaveLength(body.output.log_lines);
    expect(lines.map((text) => Number.parseInt(text, 10))).toEqual(lines.map((_, n) => n + 1));
  }
  const { flushes, items } = flush.counts().log;
  expect(items - before.items).toBeGreaterThanOrEqual(JOBS);
  expect(flushes - before.flushes).toBeLessThan((items - before.items) / 2);
});

it('a locked job does not delay others, and its lines are written once it is unlocked', async () => {
  const { key } = await harness.person(1_000_000n);
  const { sql, flush } = harness.runtime;
  const jobs = [
    await begin(key, 'probe', 'wait_paid', { id: 'a' }),
    await begin(key, 'probe', 'wait_paid', { id: 'b' }),
  ];
  const [locked, free] = jobs as [(typeof jobs)[0], (typeof jobs)[0]];
  const append = (message: string) =>
    Promise.all(jobs.map((job) => flush.appendLog({ ...job, lines: [line(1, message)], progress: 0.5 })));
  await sql.begin(async (tx) => {
    await tx`select 1 from jobs where id = ${locked.jobId} for update`;
    expect(await append('first')).toEqual(['busy', 'written']);
  });
  expect(await append('again')).toEqual(['written', 'written']);
  expect(await listLines(locked.jobId)).toEqual(['1 again']);
  expect(await listLines(free.jobId)).toEqual(['1 first']);
  const [row] = await sql`select progress from jobs where id = ${locked.jobId}`;
  expect(row?.progress).toBe(0.5);
  probe.release('a');
  probe.release('b');
});

it('adds nothing to a job that has ended or that another process runs', async () => {
  const { key } = await harness.person(1_000_000n);
  const { sql, flush } = harness.runtime;
  const ended = await begin(key, 'diagnostics', 'echo', { message: 1 });
  await harness.request('GET', `/v1/jobs/${ended.jobId}`, { key });
  const moved = await begin(key, 'probe', 'wait_paid', { id: 'c' });
  await sql`update calls set fence = 'another' where id = ${moved.callId}`;
  for (const job of [ended, moved])
    expect(await flush.appendLog({ ...job, lines: [line(9, 'late')], progress: 0.5 })).toBe('over');
  expect([...(await listLines(ended.jobId)), ...(await listLines(moved.jobId))]).toEqual([]);
  await sql`update calls set fence = ${flush.fence} where id = ${moved.callId}`;
  probe.release('c');
});

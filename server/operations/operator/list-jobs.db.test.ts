import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { newId } from '../../kit/ids';
import { listJobs } from './list-jobs';
import type { OperatorJobsInput } from './schema';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;

/** Writes a job without a call; its lease ends in so many seconds. */
async function insertJob(
  { accountId, keyId }: Person,
  status: 'pending' | 'running' | 'failed',
  { leaseSeconds = 60, minutesAgo = 0 } = {},
): Promise<string> {
  const atMs = Date.now() - minutesAgo * 60_000;
  const id = newId('job', atMs);
  await harness.runtime.sql`
    insert into jobs (id, call_id, account_id, key_id, billing, tool, skill, status, queued, rerunnable, attempts,
      lease_expires_at, error, created_at, finished_at)
    values (${id}, ${id.replace('job_', 'call_')}, ${accountId}, ${keyId}, 'personal', 'math', 'evaluate', ${status},
      ${status === 'pending'}, false, 2, now() + make_interval(secs => ${leaseSeconds}::int),
      ${status === 'failed' ? 'It failed.' : null}, ${new Date(atMs).toISOString()},
      ${status === 'failed' ? new Date().toISOString() : null})`;
  return id;
}

it('operators list the jobs of all accounts by state, age and account, with what their accounts do not see', async () => {
  const [one, other] = [await harness.person(), await harness.person()];
  const old = await insertJob(one, 'failed', { minutesAgo: 10 });
  const waiting = await insertJob(one, 'pending', { minutesAgo: 3 });
  const stuck = await insertJob(other, 'running', { leaseSeconds: -60, minutesAgo: 2 });
  const running = await insertJob(one, 'running');
  const list = async (input: OperatorJobsInput) => await listJobs(harness.runtime, input);
  const ids = async (input: OperatorJobsInput) => (await list(input)).jobs.map(({ job_id }) => job_id);

  const { jobs, depth, tools } = await list({});
  expect(jobs).toMatchObject([
    { job_id: running, account_id: one.accountId, status: 'running', queued: false, stuck: false },
    { job_id: stuck, account_id: other.accountId, stuck: true, attempts: 2 },
    { job_id: waiting, status: 'pending', queued: true, stuck: false },
    { job_id: old, status: 'failed', error: 'It failed.', cost_usd: 0, stuck: false },
  ]);
  for (const job of jobs) expect(job).not.toHaveProperty('result');
  expect([depth.running, depth.queued, tools]).toEqual([2, 1, ['math']]);

  expect(await ids({ status: 'stuck' })).toEqual([stuck]);
  expect(await ids({ status: 'running' })).toEqual([running, stuck]);
  expect(await ids({ status: 'queued' })).toEqual([waiting]);
  expect(await ids({ status: 'failed', older_minutes: 5 })).toEqual([old]);
  expect(await ids({ status: 'failed', older_minutes: 60 })).toEqual([]);
  expect(await ids({ account_id: other.accountId, tool: 'math' })).toEqual([stuck]);
  await expect(list({ cursor: 'bm90IG91cnM' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

it('a page of jobs ends with the cursor of the next, newest or oldest first', async () => {
  const person = await harness.person();
  const made: string[] = [];
  for (let count = 0; count < 31; count++)
    made.unshift(await insertJob(person, 'failed', { minutesAgo: 40 - count }));
  const first = await listJobs(harness.runtime, { account_id: person.accountId });
  const rest = await listJobs(harness.runtime, {
    account_id: person.accountId,
    cursor: first.next_cursor ?? undefined,
  });
  expect([...first.jobs, ...rest.jobs].map(({ job_id }) => job_id)).toEqual(made);
  expect([first.jobs.length, rest.jobs.length, rest.next_cursor]).toEqual([30, 1, null]);

  const oldest = { account_id: person.accountId, sort: 'created.asc' } as const;
  const begin = await listJobs(harness.runtime, oldest);
  const end = await listJobs(harness.runtime, { ...oldest, cursor: begin.next_cursor ?? undefined });
  expect([...begin.jobs, ...end.jobs].map(({ job_id }) => job_id)).toEqual(made.toReversed());
});

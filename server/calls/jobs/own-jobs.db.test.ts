import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { cancelJob } from './cancel-job';
import { followJob } from './follow-job';
import { getOwnJob } from './get-own-job';
import { listJobFacets } from './list-job-facets';
import { listOwnJobs } from './list-jobs';
import type { OwnJobsInput } from './schema';

let harness: Harness;
let other: Harness;
beforeAll(async () => {
  harness = await startHarness();
  other = await startHarness({ peer: harness });
});
afterAll(async () => {
  await other.close();
  await harness.close();
});

type Person = Awaited<ReturnType<Harness['person']>>;

const makeContext = (person: Person) => ({
  runtime: harness.runtime,
  actor: createSessionActor(person),
  requestId: 'req_test',
});
const list = (person: Person, query: Partial<OwnJobsInput> = {}) =>
  listOwnJobs(makeContext(person), { limit: 25, ...query });

/** Starts a job with a real call; returns its id. */
async function startJob(key: string, skill: string, input: object, billing?: string): Promise<string> {
  const { status, body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'diagnostics', skill, input, billing },
    headers: { prefer: 'wait=0' },
  });
  expect(status).toBe(202);
  return body.job_id;
}

async function untilEnded(person: Person, jobId: string) {
  for (;;) {
    const job = await getOwnJob(makeContext(person), jobId);
    if (job.finished_at) return job;
    await wait(20);
  }
}

describe('the jobs of a signed-in user', () => {
  it('are listed by page, newest first, and can be filtered', async () => {
    const person = await harness.person(1_000_000n);
    const second = await harness.addKey(person.accountId);
    const slow = await startJob(person.key, 'sleep', { seconds: 60 });
    const done: string[] = [];
    for (let i = 0; i < 4; i++) {
      const id = await startJob(second.key, 'spend', { amount_usd: 0.002 });
      await untilEnded(person, id);
      done.unshift(id);
    }
    const failed = await startJob(second.key, 'flaky', { mode: 'throw' });
    await untilEnded(person, failed);
    const all = [failed, ...done, slow];
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page = await list(person, { limit: 2, cursor });
      expect(page.running).toBe(1);
      seen.push(...page.jobs.map(({ job_id }) => job_id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(all);
    const ids = async (query: Partial<OwnJobsInput>) =>
      (await list(person, query)).jobs.map(({ job_id }) => job_id);
    expect(await ids({ status: 'running' })).toEqual([slow]);
    expect(await ids({ status: 'failed' })).toEqual([failed]);
    expect(await ids({ status: 'completed' })).toEqual(done);
    expect(await ids({ key_id: person.keyId })).toEqual([slow]);
    expect(await ids({ tool: 'math' })).toEqual([]);
    const [first] = (await list(person, { status: 'completed' })).jobs;
    expect(first).toMatchObject({ cost_usd: 0.002, key_name: 'test key', billing: 'personal', progress: 1 });
    expect((await list(person, { status: 'failed' })).jobs[0]).toMatchObject({
      cost_usd: 0,
      error_code: 'HANDLER_ERROR',
    });
    expect(await listJobFacets(makeContext(person))).toEqual({
      tools: ['diagnostics'],
      keys: expect.arrayContaining([
        { id: person.keyId, name: 'test key' },
        { id: second.keyId, name: 'test key' },
      ]),
    });
    await expect(list(person, { cursor: 'bm90IG91cnM' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await cancelJob(makeContext(person), slow);
    expect(await getOwnJob(makeContext(person), slow)).toMatchObject({ status: 'cancelled', cost_usd: 0 });
  });

  it('one job has its log, result and cost, whichever account was charged', async () => {
    const person = await harness.person();
    await harness.team(person.userId, 'jobs-team', 1_000_000n);
    const id = await startJob(person.key, 'spend', { amount_usd: 0.01 }, 'jobs-team');
    expect(await untilEnded(person, id)).toMatchObject({
      status: 'completed',
      cost_usd: 0.01,
      billing: 'jobs-team',
      result: { status: 'success', usage: { cost: 0.01 } },
    });
    const talking = await startJob(person.key, 'sleep', { seconds: 0.4, log_every_seconds: 0.1 });
    const { log } = await untilEnded(person, talking);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index + 1));
    expect(log[0]?.message).toMatch(/^slept \d/);
  });

  it('a job of another account is like an unknown one: not found, cancelled, listed or followed', async () => {
    const [owner, outsider] = [await harness.person(), await harness.person()];
    const id = await startJob(owner.key, 'sleep', { seconds: 60 });
    const answers = async (jobId: string) => ({
      get: await getOwnJob(makeContext(outsider), jobId).catch(({ code, message }) => ({ code, message })),
      cancel: await cancelJob(makeContext(outsider), jobId).catch(({ code, message }) => ({ code, message })),
      follow: await collect(outsider, jobId, 0),
    });
    const unknown = await answers('job_01k0000000000000000000000');
    expect(await answers(id)).toEqual(unknown);
    expect(unknown).toMatchObject({
      get: { code: 'NOT_FOUND' },
      cancel: { code: 'JOB_NOT_RUNNING' },
      follow: [{ event: 'end', data: { status: null } }],
    });
    expect(await list(outsider)).toEqual({ jobs: [], running: 0, next_cursor: null });
    expect((await getOwnJob(makeContext(owner), id)).status).toBe('running');
    await cancelJob(makeContext(owner), id);
  });

  it('either the cancel or the end of the call wins, never both @A24', async () => {
    const person = await harness.person(1_000_000n);
    let charged = 0;
    for (let round = 0; round < 8; round++) {
      const id = await startJob(person.key, 'spend', { amount_usd: 0.001 });
      const wins = await Promise.all(
        [1, 2].map(() =>
          cancelJob(makeContext(person), id).then(
            () => true,
            () => false,
          ),
        ),
      );
      const job = await untilEnded(person, id);
      const won = wins.filter(Boolean).length;
      expect(job.status).toBe(won === 1 ? 'cancelled' : 'completed');
      expect(won).toBeLessThanOrEqual(1);
      expect(job.cost_usd).toBe(won === 1 ? 0 : 0.001);
      charged += won === 1 ? 0 : 1;
    }
    const { body } = await harness.request('GET', '/v1/billing/balance', { key: person.key });
    expect(body.available_usd).toBeCloseTo(1 - charged * 0.001, 9);
  });

  it('are refused with JOBS_DISABLED if jobs are off', async () => {
    const off = await startHarness({ env: { JOBS: 'off' } });
    const person = await off.person();
    const context = { ...makeContext(person), runtime: off.runtime };
    for (const asked of [
      listOwnJobs(context, { limit: 1 }),
      getOwnJob(context, 'job_x'),
      listJobFacets(context),
    ])
      await expect(asked).rejects.toMatchObject({ code: 'JOBS_DISABLED' });
    await off.close();
  });
});

async function collect(person: Person, jobId: string, after: number, on = harness) {
  const events = [];
  for await (const event of followJob(on.runtime, person, { jobId, after }, AbortSignal.timeout(10_000)))
    events.push(event);
  return events;
}

const listSeqs = (events: Awaited<ReturnType<typeof collect>>) =>
  events.flatMap((event) => (event.event === 'lines' ? event.data.lines.map(({ seq }) => seq) : []));

describe('following the log of a job', () => {
  it('yields every line once and in order, from any process, and then the end', async () => {
    const person = await harness.person();
    const id = await startJob(person.key, 'sleep', { seconds: 1.2, log_every_seconds: 0.1 });
    const [here, there] = await Promise.all([collect(person, id, 0), collect(person, id, 0, other)]);
    const { log } = await untilEnded(person, id);
    for (const events of [here, there]) {
      expect(listSeqs(events)).toEqual(log.map(({ seq }) => seq));
      expect(events.at(-1)).toEqual({ event: 'end', data: { status: 'completed' } });
      expect(events.filter(({ event }) => event === 'state').length).toBeGreaterThan(1);
    }
  });

  it('continues after the last known line without gaps or duplicates', async () => {
    const person = await harness.person();
    const id = await startJob(person.key, 'sleep', { seconds: 1, log_every_seconds: 0.1 });
    const leaving = new AbortController();
    const before: number[] = [];
    for await (const event of followJob(harness.runtime, person, { jobId: id, after: 0 }, leaving.signal)) {
      if (event.event === 'lines') before.push(...event.data.lines.map(({ seq }) => seq));
      if (before.length >= 2) leaving.abort();
    }
    const rest = listSeqs(await collect(person, id, before.at(-1) ?? 0));
    const { log } = await untilEnded(person, id);
    expect([...before, ...rest]).toEqual(log.map(({ seq }) => seq));
  });

  it('ends when its signal is aborted', async () => {
    const person = await harness.person();
    // Longer than this test may take, so following it to the end would fail.
    const id = await startJob(person.key, 'sleep', { seconds: 300 });
    const leaving = new AbortController();
    const following = (async () => {
      for await (const { event } of followJob(
        harness.runtime,
        person,
        { jobId: id, after: 0 },
        leaving.signal,
      ))
        if (event === 'state') setTimeout(() => leaving.abort(), 50);
    })();
    await following;
    await cancelJob(makeContext(person), id);
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectionReset, interceptStatement } from '@/test/support/intercept-statement';
import { createProbe, PROBE_PRICE } from '@/test/support/probe-tool';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { newId } from '../../kit/ids';
import { reconcile } from '../../money/reconcile/reconcile';

/** The lease of 90 s ends later: a poll finds what was lost. */
const SOON = { timeout: 30_000 };
const POLL_MS = 20;
const NEVER_MS = 3_600_000;
/** Part of the answers that are lost where many are. */
const LOSS = 0.5;

const probe = createProbe();
let web: Harness;
beforeAll(async () => {
  web = await startHarness({ role: 'command', tools: [probe.tool] });
});
afterAll(() => web.close());
afterEach(async () => {
  expect(await web.runtime.sql`select id, fence from calls`).toEqual([]);
  expect((await reconcile(web.runtime)).differences).toEqual([]);
});

async function startWorker({ env = {}, pollMs = POLL_MS } = {}): Promise<Harness> {
  const worker = await startHarness({
    role: 'web',
    tools: [probe.tool],
    env: { JOB_CONCURRENCY: '4', ...env },
    pace: { queuePollMs: pollMs },
    jobs: [],
    peer: web,
  });
  onTestFinished(() => worker.close());
  return worker;
}

async function enqueue(skill: 'queued_wait' | 'queued_paid') {
  const { key, keyId } = await web.person(1_000_000n);
  const id = newId('request');
  const json = { tool: 'probe', skill, input: { id } };
  const { body } = await web.request('POST', '/v1/tools/call', { key, json, headers: { prefer: 'wait=0' } });
  const readJob = async () =>
    (await web.runtime.sql`select status, attempts from jobs where call_id = ${body.id}`)[0];
  const readFence = async () =>
    (await web.runtime.sql`select fence from calls where id = ${body.id}`)[0]?.fence;
  const readKey = async () =>
    (
      await web.runtime.sql`select running, credits_used_microusd as used from api_keys where id = ${keyId}`
    )[0];
  return { id, callId: body.id as string, readJob, readFence, readKey };
}

async function startCall() {
  const call = await enqueue('queued_paid');
  await probe.waitUntilStarted(call.id);
  return call;
}

/** Loses the first answer that names calls. */
function loseTake(worker: Harness): void {
  let isLost = false;
  const lose = async (send: () => Promise<unknown[]>) => {
    const rows = await send();
    if (isLost || rows.length === 0) return rows;
    isLost = true;
    throw connectionReset();
  };
  interceptStatement(worker, 'take_queued_calls', lose, { each: true });
}

describe('a worker that gets no answer to what it took', () => {
  it('runs it at the next poll, once and as its first attempt, and keeps its running calls', async () => {
    const worker = await startWorker();
    const running = [await startCall(), await startCall()];
    loseTake(worker);
    const lost = [await enqueue('queued_paid'), await enqueue('queued_wait')];
    await probe.waitUntilStarted(...lost.map(({ id }) => id));
    for (const { readJob } of lost) expect(await readJob()).toEqual({ status: 'running', attempts: 1 });
    probe.release(...[...lost, ...running].map(({ id }) => id));
    for (const { readJob, readKey, id } of [...running, ...lost]) {
      await expect.poll(readJob, SOON).toEqual({ status: 'completed', attempts: 1 });
      expect(await readKey()).toMatchObject({ running: 0 });
      expect(probe.runs(id)).toBe(1);
    }
    expect(await lost[0]?.readKey()).toEqual({ running: 0, used: PROBE_PRICE });
  });

  it('gives it back also if PostgreSQL carries out the statement after its next poll', async () => {
    const worker = await startWorker();
    let late: (() => Promise<unknown>) | undefined;
    let isCarriedOut = false;
    interceptStatement(
      worker,
      'take_queued_calls',
      async (send) => {
        if (isCarriedOut) return await send();
        if (late) return [];
        late = send;
        throw connectionReset();
      },
      { each: true },
    );
    let polls = 0;
    interceptStatement(
      worker,
      'give_back_calls',
      async (send) => {
        polls += 1;
        return await send();
      },
      { each: true },
    );
    const lost = await enqueue('queued_paid');
    await expect.poll(() => polls, SOON).toBeGreaterThan(1);
    expect(await late?.()).toMatchObject([{ id: lost.callId }]);
    isCarriedOut = true;
    await probe.waitUntilStarted(lost.id);
    probe.release(lost.id);
    await expect.poll(lost.readJob, SOON).toEqual({ status: 'completed', attempts: 1 });
    expect(probe.runs(lost.id)).toBe(1);
  });

  it('gives it back when it stops', async () => {
    const worker = await startWorker({ pollMs: NEVER_MS });
    loseTake(worker);
    const lost = await enqueue('queued_paid');
    await expect.poll(() => worker.log.join(''), SOON).toContain('queue.failed');
    expect(await lost.readFence()).toBe(worker.runtime.flush.fence);
    await worker.stop(0);
    expect(await lost.readJob()).toMatchObject({ attempts: 0 });
    await startWorker();
    await probe.waitUntilStarted(lost.id);
    probe.release(lost.id);
    await expect.poll(lost.readJob, SOON).toMatchObject({ status: 'completed' });
  });

  it('does not give back a call that has run, but whose end could not be recorded @E8', async () => {
    const worker = await startWorker();
    const { flush } = worker.runtime;
    const { endCall } = flush;
    const ended = await startCall();
    Object.assign(flush, { endCall: () => Promise.reject(connectionReset()) });
    probe.release(ended.id);
    await expect.poll(() => worker.log.join(''), SOON).toContain('queue.failed');
    Object.assign(flush, { endCall });
    loseTake(worker);
    const lost = await enqueue('queued_paid');
    await probe.waitUntilStarted(lost.id);
    probe.release(lost.id);
    await expect.poll(lost.readJob, SOON).toMatchObject({ status: 'completed' });
    expect(await ended.readFence()).toBe(flush.fence);
    await web.runtime
      .sql`update calls set lease_expires_at = now() - interval '1 second' where id = ${ended.callId}`;
    expect(await reapElsewhere(web.runtime)).toBe(1);
    expect(await ended.readJob()).toEqual({ status: 'failed', attempts: 1 });
    expect(probe.runs(ended.id)).toBe(1);
  });
});

it('each call runs once, although three workers lose half of their answers @E8', async () => {
  const workers = await Promise.all([startWorker(), startWorker(), startWorker()]);
  for (const worker of workers)
    interceptStatement(
      worker,
      'take_queued_calls',
      async (send) => {
        const rows = await send();
        if (Math.random() < LOSS) throw connectionReset();
        return rows;
      },
      { each: true },
    );
  const calls = [];
  for (let n = 0; n < 30; n++) {
    const call = await enqueue(n % 2 ? 'queued_paid' : 'queued_wait');
    probe.release(call.id);
    calls.push(call);
  }
  for (const { id, readJob, readKey } of calls) {
    await expect.poll(readJob, SOON).toEqual({ status: 'completed', attempts: 1 });
    expect(await readKey()).toMatchObject({ running: 0 });
    expect(probe.runs(id)).toBe(1);
  }
});

it('a call does not run where the answer that names it arrives after its lease @E8', async () => {
  const worker = await startWorker({ env: { LEASE_SECONDS: '2' } });
  let answer = () => {};
  const answered = new Promise<void>((done) => {
    answer = done;
  });
  const delay = async (send: () => Promise<unknown[]>) => {
    const rows = await send();
    if (rows.length > 0) await answered;
    return rows;
  };
  interceptStatement(worker, 'take_queued_calls', delay, { each: true });
  const late = await enqueue('queued_wait');
  await expect.poll(late.readFence, SOON).toBe(worker.runtime.flush.fence);
  // The heartbeat of this process finds the lease expired and returns the call to the queue.
  await expect.poll(late.readFence, SOON).toBe('queue');
  const other = await startWorker();
  await probe.waitUntilStarted(late.id);
  answer();
  await expect.poll(() => worker.log.join(''), SOON).toContain('queue.failed');
  expect(await late.readFence()).toBe(other.runtime.flush.fence);
  probe.release(late.id);
  await expect.poll(late.readJob, SOON).toEqual({ status: 'completed', attempts: 2 });
  expect(probe.runs(late.id)).toBe(1);
});

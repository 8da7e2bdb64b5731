import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { reconcile } from '../../money/reconcile/reconcile';
import { PACE } from '../../platform/settings/pace';
import { perCall } from '../../tools/sdk/define-tool';
import { HandoverRequested } from './call-run';

const POLL_MS = 20;
/** Several polls: what may be taken is taken by then. */
const POLLS_MS = 200;
const SOON = { timeout: 30_000 };

/** Handlers that run, by the name in their input; they end when they are released. */
const running: string[] = [];
const started: string[] = [];
let released: string[] = [];

/** Its handlers ignore that they are stopped. */
const tool = defineTestTool('deaf', [
  defineTestSkill({
    name: 'work',
    input: z.object({ name: z.string() }),
    output: z.object({ name: z.string() }),
    price: perCall(100n),
    annotations: { readOnly: false, estimatedSeconds: 60 },
    async run({ input: { name } }) {
      running.push(name);
      started.push(name);
      while (!released.includes(name)) await wait(5);
      running.splice(running.indexOf(name), 1);
      return { output: { name } };
    },
  }),
]);

let web: Harness;
beforeAll(async () => {
  web = await startHarness({ role: 'command', tools: [tool] });
});
afterAll(() => web.close());
afterEach(async () => {
  started.length = 0;
  released = [];
  expect(await web.runtime.sql`select id from calls`).toEqual([]);
  expect((await reconcile(web.runtime)).differences).toEqual([]);
});

async function startWorker({ aloneMs = PACE.aloneMs } = {}): Promise<Harness> {
  const worker = await startHarness({
    role: 'web',
    tools: [tool],
    env: { JOB_CONCURRENCY: '4' },
    pace: { queuePollMs: POLL_MS, aloneMs },
    jobs: [],
    peer: web,
  });
  onTestFinished(() => worker.close());
  return worker;
}

async function enqueue(name: string) {
  const { key, keyId } = await web.person(1_000_000n);
  const json = { tool: 'deaf', skill: 'work', input: { name } };
  const { body } = await web.request('POST', '/v1/tools/call', { key, json, headers: { prefer: 'wait=0' } });
  const { sql } = web.runtime;
  const readJob = async () => (await sql`select status, attempts from jobs where call_id = ${body.id}`)[0];
  const readUsed = async () =>
    (await sql`select credits_used_microusd as used, running from api_keys where id = ${keyId}`)[0];
  const expire = () =>
    sql`update calls set lease_expires_at = now() - interval '1 second' where id = ${body.id}`;
  return { id: body.id as string, readJob, readUsed, expire };
}

/** Starts a call, and stops it as where its lease cannot be renewed. */
async function startAndStop(worker: Harness, name: string) {
  const call = await enqueue(name);
  await expect.poll(() => running).toEqual([name]);
  worker.runtime.running.findRun(call.id)?.stop(new HandoverRequested());
  return call;
}

/** All places of the worker are free. */
async function expectIdle(worker: Harness) {
  const others = ['a', 'b', 'c', 'd'];
  for (const name of others) await enqueue(name);
  await expect.poll(() => running.toSorted()).toEqual(others);
  released.push(...others);
  await expect.poll(() => worker.runtime.running.size).toBe(0);
}

it('a call that its process takes again while its handler ignores the stop runs once and is charged once @E8', async () => {
  const worker = await startWorker();
  const call = await startAndStop(worker, 'first');
  await call.expire();
  expect(await reapElsewhere(web.runtime)).toBe(1);
  await expect.poll(call.readJob).toMatchObject({ attempts: 2 });
  released = ['first'];
  await expect.poll(() => worker.runtime.running.size).toBe(0);
  expect(started).toEqual(['first']);
  const isPaid = (await call.readJob())?.status === 'completed';
  expect(await call.readUsed()).toEqual({ used: isPaid ? 100n : 0n, running: 0 });
  await expectIdle(worker);
});

it('a call that returns to the queue while its handler still runs does not start in the same process @E8', async () => {
  const worker = await startWorker();
  const call = await startAndStop(worker, 'first');
  await expect.poll(call.readJob).toMatchObject({ status: 'failed' });
  expect([started, running]).toEqual([['first'], ['first']]);
  expect(await call.readUsed()).toEqual({ used: 0n, running: 0 });
  released = ['first'];
  await expect.poll(() => running).toEqual([]);
  await expectIdle(worker);
});

/** @param lost the calls that were lost with their process twice */
async function startAfterLosses(lost: { id: string }[], aloneMs: number): Promise<Harness> {
  await web.runtime.sql`update jobs set attempts = 2 where call_id = any(${lost.map(({ id }) => id)})`;
  return await startWorker({ aloneMs });
}

it('a call that was lost twice runs alone, and those behind it wait until it has ended', async () => {
  const worker = await startAfterLosses([await enqueue('suspect')], 2_000);
  await expect.poll(() => running, SOON).toEqual(['suspect']);
  await enqueue('other');
  await wait(POLLS_MS);
  expect(running).toEqual(['suspect']);
  released = ['suspect'];
  await expect.poll(() => running, SOON).toEqual(['other']);
  released.push('other');
  await expect.poll(() => worker.runtime.running.size).toBe(0);
});

it('an account whose calls end processes does not stop the queue, nor does a long call next to them @F7', async () => {
  const lost = [await enqueue('lost 1'), await enqueue('lost 2'), await enqueue('lost 3')];
  await enqueue('long');
  const worker = await startAfterLosses(lost, 400);
  // They wait while others have their turn; then one starts, although the long call still runs.
  await expect.poll(() => running, SOON).toEqual(['long']);
  await expect.poll(() => running, SOON).toEqual(['long', 'lost 1']);
  await enqueue('other');
  await expect.poll(() => running, SOON).toEqual(['long', 'lost 1', 'other']);
  released = ['other', 'lost 1'];
  await expect.poll(() => running, SOON).toEqual(['long', 'lost 2']);
  expect(started).toEqual(['long', 'lost 1', 'other', 'lost 2']);
  released.push('lost 2', 'lost 3', 'long');
  await expect.poll(() => started, SOON).toContain('lost 3');
  await expect.poll(() => worker.runtime.running.size).toBe(0);
});

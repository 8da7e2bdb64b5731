import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { newId } from '../../kit/ids';
import { type Harness, startHarness } from '../../testing/harness';
import { createProbe } from '../../testing/probe-tool';
import { startQueueWorker } from './queue';

const probe = createProbe();
let base: Harness;
beforeAll(async () => {
  base = await startHarness({ role: 'command' });
});
afterAll(() => base.close());

it('finished calls are out of the queue when their worker has stopped, however many finish at once', async () => {
  for (let round = 0; round < 2; round++) {
    const worker = await startHarness({
      role: 'web',
      tools: [probe.tool],
      env: { JOB_CONCURRENCY: '10' },
      peer: base,
    });
    const people = await Promise.all(Array.from({ length: 10 }, () => worker.person(1_000_000n)));
    const ids = people.map(() => newId('request'));
    for (const [at, { key }] of people.entries())
      await worker.request('POST', '/v1/tools/call', {
        key,
        json: { tool: 'probe', skill: 'queued_paid', input: { id: ids[at] } },
        headers: { prefer: 'wait=0' },
      });
    await probe.waitUntilStarted(...ids);
    probe.release(...ids);
    await worker.close();
    // Closing waits for the queue only for a limited time.
    await expect.poll(() => base.runtime.sql`select key from graphile_worker.jobs`).toHaveLength(0);
  }
});

it('lets every running task listen for the stop without a warning of a leak', async () => {
  const warnings: string[] = [];
  const collect = ({ message }: Error) => void warnings.push(message);
  process.on('warning', collect);
  onTestFinished(() => void process.off('warning', collect));
  const concurrency = 12;
  let listening = 0;
  const worker = startQueueWorker({
    databaseUrl: base.runtime.settings.databaseUrl,
    tasks: [
      {
        name: 'run_call',
        concurrency,
        work: (_, stopping) =>
          new Promise((stopped) => {
            stopping.addEventListener('abort', () => stopped(), { once: true });
            listening += 1;
          }),
      },
    ],
    onError: () => undefined,
  });
  const add = (id: number) =>
    base.runtime
      .sql`select graphile_worker.add_job('run_call', ${JSON.stringify({ callId: `call_l${id}` })}::json)`;
  await Promise.all(Array.from({ length: concurrency }, (_, id) => add(id)));
  await expect.poll(() => listening).toBe(concurrency);
  await worker.stop();
  expect(warnings.filter((message) => message.includes('[AbortSignal]'))).toEqual([]);
});

it('takes calls although the first query of its worker failed, for example in a database crash', async () => {
  const { sql, settings } = base.runtime;
  const errors: unknown[] = [];
  const taken: string[] = [];
  await sql`alter table graphile_worker._private_tasks rename to tasks_away`;
  const worker = startQueueWorker({
    databaseUrl: settings.databaseUrl,
    tasks: [{ name: 'run_call', concurrency: 2, work: async (callId) => void taken.push(callId) }],
    onError: (error) => void errors.push(error),
  });
  try {
    await expect.poll(() => errors.length).toBeGreaterThan(0);
    await sql`alter table graphile_worker.tasks_away rename to _private_tasks`;
    await sql`select graphile_worker.add_job('run_call', '{"callId":"call_1"}')`;
    await expect.poll(() => taken).toEqual(['call_1']);
  } finally {
    await worker.stop();
  }
});

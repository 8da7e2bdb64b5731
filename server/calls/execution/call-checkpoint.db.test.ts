import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { runQueuedCall } from '@/test/support/run-queued-call';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import type { Checkpoint } from '../../tools/sdk/skill-context';
import { toJobId } from '../jobs/job-ids';
import { saveCheckpoint } from './checkpoint-store';

/** What the handler of the next attempt does with its checkpoint. */
let work: (checkpoint: Checkpoint) => Promise<unknown>;
const skill = (name: string, estimatedSeconds: number) =>
  defineTestSkill({
    name,
    input: z.object({}),
    output: z.object({ seen: z.unknown() }),
    annotations: { estimatedSeconds },
    run: async ({ checkpoint }) => ({ output: { seen: (await work(checkpoint)) ?? null } }),
  });

let harness: Harness;
let key: string;
beforeAll(async () => {
  const tool = defineTestTool('keeper', [skill('queued', 60), skill('direct', 1)]);
  harness = await startHarness({ role: 'web', tools: [tool], env: { JOBS: 'external' } });
  key = (await harness.person()).key;
});
afterAll(() => harness.close());

const call = (name: string) =>
  harness.request('POST', '/v1/tools/call', {
    key,
    json: { tool: 'keeper', skill: name, input: {} },
    headers: { prefer: 'wait=0' },
  });
const queue = async () => (await call('queued')).body.id as string;
const findState = async (id: string) =>
  (await harness.runtime.sql`select * from queued_call_states where call_id = ${id}`)[0];
const getJob = async (id: string) => (await harness.request('GET', `/v1/jobs/${toJobId(id)}`, { key })).body;

describe('the checkpoint of a queued call', () => {
  it('is loaded by the attempt after a crash, and deleted when the call ends', async () => {
    const { sql, flush } = harness.runtime;
    const id = await queue();
    let started = () => {};
    const saved = new Promise<void>((resolve) => {
      started = resolve;
    });
    let release = () => {};
    const dead = new Promise<void>((resolve) => {
      release = resolve;
    });
    work = async (checkpoint) => {
      expect(await checkpoint.load()).toBeUndefined();
      await checkpoint.save({ page: 1 });
      await checkpoint.save({ page: 2, text: 'ü\u0000"' });
      started();
      await dead;
      // The lease belongs to another attempt: a late checkpoint of the dead one is not stored.
      await checkpoint.save({ page: 99 });
    };
    const first = runQueuedCall(harness.runtime, id);
    await saved;
    await sql`update calls set lease_expires_at = now() - interval '1 second' where id = ${id}`;
    expect(await reapElsewhere(harness.runtime)).toBe(1);
    release();
    await first;
    expect((await findState(id))?.checkpoint).toEqual({ page: 2, text: 'ü\u0000"' });
    work = (checkpoint) => checkpoint.load();
    await runQueuedCall(harness.runtime, id);
    expect(await getJob(id)).toMatchObject({ status: 'completed', output: { seen: { page: 2 } } });
    expect(await findState(id)).toBeUndefined();
    expect(await saveCheckpoint(sql, { id, jobId: toJobId(id) }, flush.fence, '{}')).toBe(false);
    expect(await findState(id)).toBeUndefined();
  });

  it('does not overwrite the sealed key of the call', async () => {
    const id = await queue();
    let during: unknown;
    work = async (checkpoint) => {
      await checkpoint.save([0]);
      await harness.runtime.sql`update queued_call_states set slot = 'openai', source = 'header',
        sealed_key = 'v1.k1.sealed' where call_id = ${id}`;
      await checkpoint.save([1]);
      during = await findState(id);
    };
    await runQueuedCall(harness.runtime, id);
    expect(during).toMatchObject({
      slot: 'openai',
      source: 'header',
      sealed_key: 'v1.k1.sealed',
      checkpoint: [1],
    });
  });

  it('is limited in size', async () => {
    const id = await queue();
    let refused: unknown;
    work = async (checkpoint) => {
      refused = await checkpoint.save('x'.repeat(4 * 1024 * 1024)).catch((error: Error) => error.message);
    };
    await runQueuedCall(harness.runtime, id);
    expect(refused).toContain('larger than 4194304 bytes');
  });

  it('is not stored for a call that is not queued', async () => {
    work = async (checkpoint) => {
      await checkpoint.save({ page: 1 });
      return (await checkpoint.load()) ?? 'nothing';
    };
    const { body } = await harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'keeper', skill: 'direct', input: {} },
    });
    expect(body.output).toEqual({ seen: 'nothing' });
    const [left] = await harness.runtime.sql`select count(*)::int as n from queued_call_states`;
    expect(left?.n).toBe(0);
  });
});

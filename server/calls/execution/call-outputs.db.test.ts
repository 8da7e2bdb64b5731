import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '@/test/support/harness';
import { loseResponse } from '@/test/support/intercept-statement';
import { reapElsewhere } from '@/test/support/reap-as-other-process';
import { runQueuedCall, runQueuedCallElsewhere } from '@/test/support/run-queued-call';
import { createSessionActor } from '@/test/support/session-actor';
import { defineTestSkill, defineTestTool } from '@/test/support/test-tool';
import { listAssets } from '../../assets/list-assets';
import { perCall } from '../../tools/sdk/define-tool';
import type { CallFiles } from '../../tools/sdk/skill-context';
import { toJobId } from '../jobs/job-ids';

// Visibility of the files of a call before it is known whether the call is paid.

/** What the handler of the next attempt does. */
let work: (save: (name: string) => Promise<string>, signal: AbortSignal) => Promise<unknown>;
const saver = (files: CallFiles) => async (name: string) =>
  (await files.save({ bytes: Buffer.from(name) }, { filename: name, contentType: 'text/plain' })).asset_id;
const skill = (name: string, idempotent: boolean) =>
  defineTestSkill({
    name,
    input: z.object({}),
    output: z.object({ made: z.unknown() }),
    price: perCall(1_000n),
    annotations: { idempotent, estimatedSeconds: 60 },
    run: async ({ files, signal }) => ({ output: { made: (await work(saver(files), signal)) ?? null } }),
  });

let harness: Harness;
beforeAll(async () => {
  const tool = defineTestTool('maker', [skill('again', true), skill('once', false)]);
  harness = await startHarness({ role: 'web', tools: [tool], env: { JOBS: 'external' } });
});
afterAll(() => harness.close());

async function queued(name = 'again') {
  const { key, accountId } = await harness.person(10_000n);
  const json = { tool: 'maker', skill: name, input: {} };
  const { body } = await harness.request('POST', '/v1/tools/call', {
    key,
    json,
    headers: { prefer: 'wait=0' },
  });
  const id = body.id as string;
  const path = `/v1/jobs/${toJobId(id)}`;
  return {
    id,
    job: async () => (await harness.request('GET', path, { key })).body,
    cancel: async () => (await harness.request('POST', `${path}/cancel`, { key })).body,
    balance: async () => (await harness.request('GET', '/v1/billing/balance', { key })).body.available_usd,
    names: async () => {
      const { assets } = await listAssets(
        harness.runtime,
        createSessionActor({ userId: 'owner', accountId }),
        { limit: 10 },
      );
      return assets.map(({ filename }) => filename);
    },
    expire: () =>
      harness.runtime.sql`update calls set lease_expires_at = now() - interval '1 second' where id = ${id}`,
  };
}

/** An attempt of another process that saves a file and then blocks until it is released. */
function paused(id: string, name: string) {
  let release = () => {};
  const waits = new Promise<void>((resolve) => {
    release = resolve;
  });
  let saved = () => {};
  const started = new Promise<void>((resolve) => {
    saved = resolve;
  });
  work = async (save) => {
    await save(name);
    saved();
    await waits;
    throw new Error('It lost the call.');
  };
  const run = runQueuedCallElsewhere(harness.runtime, id);
  const end = async () => {
    release();
    await run;
  };
  return { started, end };
}

describe('the files of a call', () => {
  it('are listed once the call has succeeded', async () => {
    const call = await queued();
    let during: unknown;
    work = async (save) => {
      await save('a');
      during = await call.names();
    };
    await runQueuedCall(harness.runtime, call.id);
    expect(during).toEqual([]);
    expect(await call.names()).toEqual(['a']);
  });

  it('are hidden as soon as the call is cancelled, and the call costs nothing', async () => {
    const call = await queued();
    const attempt = paused(call.id, 'a');
    await attempt.started;
    expect(await call.cancel()).toMatchObject({ cancelled: true });
    expect(await call.names()).toEqual([]);
    await attempt.end();
    expect([await call.names(), await call.balance()]).toEqual([[], 0.01]);
  });

  it('cannot be added after the call was cancelled', async () => {
    const call = await queued();
    let late: unknown;
    work = async (save) => {
      await call.cancel();
      late = await save('late').catch(({ message }) => message);
      late = [late, await call.names()];
    };
    await runQueuedCall(harness.runtime, call.id);
    expect(late).toEqual(['The call has ended, or its account is closed.', []]);
  });

  it('are kept when an attempt that lost the call ends late, because they are paid', async () => {
    const call = await queued();
    const first = paused(call.id, 'late');
    await first.started;
    await call.expire();
    expect(await reapElsewhere(harness.runtime)).toBe(1);
    work = (save) => save('paid');
    await runQueuedCall(harness.runtime, call.id);
    expect(await call.job()).toMatchObject({ status: 'completed' });
    await first.end();
    // Only its own files are removed.
    await vi.waitFor(async () => expect(await call.names()).toEqual(['paid']), { timeout: 15_000 });
    await new Promise((done) => setTimeout(done, 300));
    expect(await call.names()).toEqual(['paid']);
    expect(await call.balance()).toBe(0.009);
  });

  it('are removed with the last failed attempt, including those of earlier attempts', async () => {
    const call = await queued();
    const first = paused(call.id, 'a');
    await first.started;
    await call.expire();
    expect(await reapElsewhere(harness.runtime)).toBe(1);
    work = () => Promise.reject(new Error('failed without a file'));
    await runQueuedCall(harness.runtime, call.id);
    expect(await call.job()).toMatchObject({ status: 'failed' });
    await vi.waitFor(async () => expect(await call.names()).toEqual([]), { timeout: 15_000 });
    await first.end();
  });

  it.each([
    ['', () => () => undefined],
    [', also if the reaper gets no answer', () => loseResponse(harness, 'reap_calls')],
  ])('are hidden when the process is lost and the call is not rerun%s', async (_, lose) => {
    const call = await queued('once');
    const lost = paused(call.id, 'a');
    await lost.started;
    await call.expire();
    const restore = lose();
    await reapElsewhere(harness.runtime).catch(() => undefined);
    restore();
    expect(await call.job()).toMatchObject({ status: 'failed' });
    expect([await call.names(), await call.balance()]).toEqual([[], 0.01]);
    await lost.end();
  });
});

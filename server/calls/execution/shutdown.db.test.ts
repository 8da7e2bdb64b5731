import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { newId } from '../../kit/ids';

const probe = createProbe();
/** Drain limit of the process; it passes only on the fake clock. */
const BOUND_MS = 600_000;

let leaving: Harness;
beforeAll(async () => {
  leaving = await startHarness({ role: 'web', tools: [probe.tool], env: { WAIT_SECONDS: '20' } });
});
afterEach(() => vi.useRealTimers());
afterAll(() => leaving.close());

const send = (key: string, skill: string, id: string, headers = {}) =>
  leaving.request('POST', '/v1/tools/call', { key, json: { tool: 'probe', skill, input: { id } }, headers });

describe('a process that shuts down', () => {
  it('lets its calls end, accepts no new ones, and hands queued ones over', async () => {
    const { key, keyId } = await leaving.person(1_000_000n);
    const [longId, queuedId, quickId] = [newId('request'), newId('request'), newId('request')];
    const long = await send(key, 'wait', longId, { prefer: 'wait=0' });
    const queued = await send(key, 'queued_wait', queuedId, { prefer: 'wait=0' });
    const { sql } = leaving.runtime;
    const findStatus = async () =>
      (await sql`select status from jobs where id = ${queued.body.job_id}`)[0]?.status;
    await expect.poll(findStatus).toBe('running');
    const quick = send(key, 'wait', quickId);
    await probe.waitUntilStarted(longId, queuedId, quickId);
    const poll = leaving.request('GET', `/v1/jobs/${long.body.job_id}`, { key });

    vi.useFakeTimers({ toFake: ['performance'] });
    const drained = leaving.stop(BOUND_MS);
    const refused = await send(key, 'ok', newId('request'));
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE', billed: false } } });
    expect(refused.headers['retry-after']).toBe('1');
    probe.release(quickId);
    expect((await quick).status).toBe(200);
    expect((await poll).body.status).toBe('running');
    expect(leaving.runtime.running.size).toBe(2);
    vi.advanceTimersByTime(BOUND_MS);
    await expect.poll(() => leaving.runtime.running.size).toBe(0);
    vi.useRealTimers();
    await drained;

    // Calls that cannot be rerun have failed with a reason; the next process reruns the others.
    const staying = await startHarness({
      role: 'web',
      tools: [probe.tool],
      env: { WAIT_SECONDS: '20' },
      peer: leaving,
    });
    try {
      const failed = await staying.request('GET', `/v1/jobs/${long.body.job_id}`, { key });
      expect(failed.body).toMatchObject({ status: 'failed', error_code: 'HANDLER_ERROR' });
      expect(failed.body.error).toMatch(/stopped/);
      probe.release(queuedId);
      const done = await staying.request('GET', `/v1/jobs/${queued.body.job_id}`, { key });
      expect(done.body).toMatchObject({ status: 'completed', output: { id: queuedId, run: 2 } });
      expect(done.body.logs).toContain('The worker is stopping. The call restarts on another worker.');
      const [row] = await staying.runtime.sql`select running from api_keys where id = ${keyId}`;
      expect(row).toEqual({ running: 0 });
    } finally {
      await staying.close();
    }
  });
});

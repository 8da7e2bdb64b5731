import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../testing/harness';

let leaving: Harness;
beforeAll(async () => {
  leaving = await startHarness({ env: { WAIT_SECONDS: '20' } });
});
afterAll(() => leaving.close());

const send = (harness: Harness, key: string, skill: string, input: object, headers = {}) =>
  harness.ask('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input }, headers });

describe('a process that stops', () => {
  it('lets its calls end, takes no new ones, and gives queued ones to another', async () => {
    const { key, keyId } = await leaving.person(1_000_000n);
    const long = await send(leaving, key, 'sleep', { seconds: 60 }, { prefer: 'wait=0' });
    const queued = await send(leaving, key, 'background', { seconds: 3, steps: 4 }, { prefer: 'wait=0' });
    const { sql } = leaving.runtime;
    const statusOf = async () =>
      (await sql`select status from jobs where id = ${queued.body.job_id}`)[0]?.status;
    await expect.poll(statusOf).toBe('running');
    const quick = send(leaving, key, 'sleep', { seconds: 0.5 });
    await expect.poll(() => leaving.runtime.running.size, { interval: 5 }).toBe(3);
    const poll = leaving.ask('GET', `/v1/jobs/${long.body.job_id}`, { key });

    const drained = leaving.stop(1_000);
    const refused = await send(leaving, key, 'echo', { message: 1 });
    expect(refused).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE', billed: false } } });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await quick).status).toBe(200);
    expect((await poll).body.status).toBe('running');
    await drained;
    expect(leaving.runtime.running.size).toBe(0);

    // What cannot be begun again has failed, with a reason; what can is begun again by the next process.
    const staying = await startHarness({ env: { WAIT_SECONDS: '20' }, beside: leaving });
    try {
      const failed = await staying.ask('GET', `/v1/jobs/${long.body.job_id}`, { key });
      expect(failed.body).toMatchObject({ status: 'failed', error_code: 'HANDLER_ERROR' });
      expect(failed.body.error).toMatch(/stopped/);
      const done = await staying.ask('GET', `/v1/jobs/${queued.body.job_id}`, { key });
      expect(done.body).toMatchObject({ status: 'completed', output: { steps_done: 4 } });
      expect(done.body.logs).toContain('The worker stops: the call starts again in another.');
      const [row] = await staying.runtime.sql`select running from api_keys where id = ${keyId}`;
      expect(row).toEqual({ running: 0 });
    } finally {
      await staying.close();
    }
  });
});

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { readEvents } from '@/test/support/read-events';
import { tools } from '../../tools/registry';
import { checkCancelRaces, pollUntilEnded as ended } from './testing/cancel-races';

const probe = createProbe();
/** Requests wait for half a second. */
let harness: Harness;
/** Requests wait as long as a busy machine may need. */
let patient: Harness;
beforeAll(async () => {
  const withProbe = [...tools, probe.tool];
  harness = await startHarness({ role: 'web', env: { WAIT_SECONDS: '0.5' }, tools: withProbe });
  patient = await startHarness({ role: 'web', peer: harness, env: { WAIT_SECONDS: '30' }, tools: withProbe });
});
afterAll(async () => {
  await patient.close();
  await harness.close();
});

type Headers = Record<string, string>;
const callOn = (on: Harness, key: string, skill: string, input: object, headers: Headers = {}) =>
  on.request('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input }, headers });
const call = (key: string, skill: string, input: object, headers: Headers = {}) =>
  callOn(harness, key, skill, input, headers);
const poll = (key: string, jobId: string, wait?: number) =>
  harness.request('GET', `/v1/jobs/${jobId}`, {
    key,
    headers: wait === undefined ? {} : { prefer: `wait=${wait}` },
  });
const untilEnded = (key: string, jobId: string) => ended(harness, key, jobId);

describe('a call that runs longer than its request waits', () => {
  it('is answered 202 with a job, and the same run provides its result', async () => {
    const { key } = await harness.person();
    const pending = await call(key, 'sleep', { seconds: 1.2, log_every_seconds: 0.2 });
    expect(pending.status).toBe(202);
    expect(pending.headers.ratelimit).toMatch(/^"minute";r=59/);
    const { job_id, poll_url, id } = pending.body;
    expect(pending.body).toMatchObject({ status: 'pending', billed: false });
    expect(poll_url).toBe(`http://gateway.test/v1/jobs/${job_id}`);
    const job = await untilEnded(key, job_id);
    expect(job).toMatchObject({
      jobId: job_id,
      job_id,
      status: 'completed',
      tool: 'diagnostics',
      skill: 'sleep',
      progress: 1,
      result: { id, status: 'success', usage: { cost: 0 } },
    });
    expect(job.output).toEqual(job.result.output);
    expect(job.logs).toHaveLength(job.output.log_lines);
    expect(job.elapsed_seconds).toBeGreaterThan(0.5);
    const { body } = await harness.request('GET', '/v1/usage/history', { key });
    expect(body.records).toHaveLength(1);
    expect(body.records[0]).toMatchObject({ id, status: 'success', job_id });
  });

  it('Prefer: wait=0 answers at once, and a malformed preference is ignored', async () => {
    const { key } = await harness.person();
    const now = await call(key, 'echo', { message: 1 }, { prefer: 'respond-async, wait=0' });
    expect(now.status).toBe(202);
    expect(now.headers['preference-applied']).toBe('respond-async, wait=0');
    expect((await untilEnded(key, now.body.job_id)).output).toEqual({ message: 1 });
    // A worker may already have ended the call: the request must not wait for it.
    const waitSpy = vi.spyOn(harness.runtime.notices, 'untilFound');
    const queued = await call(key, 'background', { seconds: 0, steps: 1 }, { prefer: 'wait=0' });
    expect(queued.status).toBe(202);
    expect(waitSpy.mock.calls.map(([topic]) => topic)).not.toContain(`call:${queued.body.id}`);
    waitSpy.mockRestore();
    for (const prefer of ['wait=-1', 'wait=soon', 'wait', 'handling=strict'])
      expect((await callOn(patient, key, 'echo', { message: 1 }, { prefer })).status).toBe(200);
  });

  it('a queued skill is run by a worker, and a short run is still answered 200', async () => {
    const { key } = await harness.person();
    const quick = await callOn(patient, key, 'background', { seconds: 0, steps: 2 });
    expect(quick).toMatchObject({ status: 200, body: { status: 'success', output: { steps_done: 2 } } });
    const slow = await call(key, 'background', { seconds: 1.2, steps: 3 });
    expect(slow.status).toBe(202);
    const job = await untilEnded(key, slow.body.job_id);
    expect(job).toMatchObject({ status: 'completed', logs: ['step 1 of 3', 'step 2 of 3', 'step 3 of 3'] });
  });

  it('fails its job with a reason and costs nothing if the tool fails', async () => {
    const { key } = await harness.person(1_000_000n);
    const pending = await call(key, 'flaky', { mode: 'throw' }, { prefer: 'wait=0' });
    expect(await untilEnded(key, pending.body.job_id)).toMatchObject({
      status: 'failed',
      error: 'This call failed because its mode is throw.',
      error_code: 'HANDLER_ERROR',
    });
    const { body } = await harness.request('GET', '/v1/billing/balance', { key });
    expect(body.available_usd).toBe(1);
  });
});

describe('polling', () => {
  it('returns the log so far if the job has not ended within the wait', async () => {
    const { key } = await harness.person();
    const { body } = await call(key, 'sleep', { seconds: 30, log_every_seconds: 0.1 }, { prefer: 'wait=0' });
    await expect.poll(async () => (await poll(key, body.job_id, 0)).body.logs.length).toBeGreaterThan(0);
    for (const wait of [1, 0]) {
      const job = (await poll(key, body.job_id, wait)).body;
      expect(job.status).toBe('running');
      expect(job.logs[0]).toMatch(/^slept \d+\.\d of 30 s$/);
      expect(job.progress).toBeGreaterThan(0);
    }
    await harness.request('POST', `/v1/jobs/${body.job_id}/cancel`, { key });
  });

  it('returns as soon as the job ends, and returns 404 for a job of another account', async () => {
    const [owner, outsider] = [await harness.person(), await harness.person()];
    const json = { tool: 'probe', skill: 'wait', input: { id: 'polled' } };
    const { body } = await harness.request('POST', '/v1/tools/call', {
      key: owner.key,
      json,
      headers: { prefer: 'wait=0' },
    });
    expect((await poll(outsider.key, body.job_id)).status).toBe(404);
    expect((await poll(owner.key, 'job_unknown')).status).toBe(404);
    // The wait ends first and returns the running job.
    expect((await poll(owner.key, body.job_id)).body.status).toBe('running');
    const polled = patient.request('GET', `/v1/jobs/${body.job_id}`, { key: owner.key });
    await expect.poll(() => patient.runtime.notices.waiting).toBe(1);
    probe.release('polled');
    expect((await polled).body.status).toBe('completed');
  });
});

describe('cancelling', () => {
  it('stops the handler, costs nothing and releases the slot', async () => {
    const { key, keyId } = await harness.person();
    const { body } = await call(key, 'sleep', { seconds: 60 }, { prefer: 'wait=0' });
    const cancelled = await harness.request('POST', `/v1/jobs/${body.job_id}/cancel`, { key });
    expect(cancelled).toMatchObject({ status: 200, body: { cancelled: true, job_id: body.job_id } });
    expect((await poll(key, body.job_id)).body.status).toBe('cancelled');
    const again = await harness.request('POST', `/v1/jobs/${body.job_id}/cancel`, { key });
    expect(again).toMatchObject({ status: 400, body: { error: { code: 'JOB_NOT_RUNNING' } } });
    const [row] = await harness.runtime.sql`select running from api_keys where id = ${keyId}`;
    expect(row).toEqual({ running: 0 });
    while (harness.runtime.running.size > 0) await new Promise((done) => setTimeout(done, 10));
  });

  it('is refused for a job that is unknown, ended or of another account @A24', async () => {
    const [owner, outsider] = [await harness.person(), await harness.person()];
    const { body } = await call(owner.key, 'sleep', { seconds: 60 }, { prefer: 'wait=0' });
    for (const [key, id] of [
      [outsider.key, body.job_id],
      [owner.key, 'job_unknown'],
    ] as const)
      expect((await harness.request('POST', `/v1/jobs/${id}/cancel`, { key })).body.error.code).toBe(
        'JOB_NOT_RUNNING',
      );
    await harness.request('POST', `/v1/jobs/${body.job_id}/cancel`, { key: owner.key });
  });

  it('either cancels or loses to the end of the call: charged if and only if completed @A24', () =>
    checkCancelRaces(harness, 5));
});

describe('a streamed call', () => {
  const events = { accept: 'text/event-stream' };
  it('sends started, each log line, the rate limit and the result, in this order @E7', async () => {
    const { key } = await harness.person();
    const answer = await callOn(patient, key, 'sleep', { seconds: 0.25, log_every_seconds: 0.1 }, events);
    expect(answer.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const received = readEvents(answer.text);
    expect(received.map(({ id }) => id.replace(/\.\d+$/, ''))).toEqual([
      '0',
      ...received.slice(1, -2).map(({ data }) => String(data.seq)),
      'limits',
      'end',
    ]);
    expect(received.map(({ event }) => event).filter((event, i, all) => event !== all[i - 1])).toEqual([
      'started',
      'progress',
      'rate_limit',
      'result',
    ]);
    const lines = received.filter(({ event }) => event === 'progress').map(({ data }) => data.seq);
    expect(lines).toEqual([...lines].sort());
    expect(received.at(-2)?.data).toMatchObject({ policy: 'minute', limit: 60, remaining: 59 });
    expect(received.at(-1)?.data).toMatchObject({ status: 'success', output: { log_lines: lines.length } });
  });

  it('becomes a job when it takes long, and the stream stays open to its end', async () => {
    const { key } = await harness.person();
    const received = readEvents(
      (await call(key, 'sleep', { seconds: 1.2, log_every_seconds: 0.1 }, events)).text,
    );
    const jobId = received[0]?.data.job_id as string;
    expect(received.some(({ event, data }) => event === 'progress' && data.job_id === jobId)).toBe(true);
    expect(received.at(-1)?.event).toBe('result');
    expect((await poll(key, jobId)).body.status).toBe('completed');
  });

  it('streams the log lines of a worker for a queued skill', async () => {
    const { key } = await harness.person();
    const received = readEvents(
      (await callOn(patient, key, 'background', { seconds: 0.2, steps: 2 }, events)).text,
    );
    expect(received.filter(({ event }) => event === 'progress').map(({ data }) => data.message)).toEqual([
      'step 1 of 2',
      'step 2 of 2',
    ]);
    expect(received.at(-1)).toMatchObject({ event: 'result', data: { output: { steps_done: 2 } } });
  });

  it('a failure before the start is an HTTP error, a failure of the handler an event', async () => {
    const { key } = await harness.person(1_000_000n);
    expect((await call(key, 'sleep', { seconds: -1 }, events)).status).toBe(400);
    expect((await call('tg_live_wrong', 'sleep', { seconds: 1 }, events)).status).toBe(401);
    const received = readEvents((await call(key, 'flaky', { mode: 'throw' }, events)).text);
    expect(received.at(-1)).toMatchObject({
      event: 'error',
      data: { error: { code: 'HANDLER_ERROR', billed: false } },
    });
  });

  it('continues as a job when the client disconnects @A25', async () => {
    const { key, keyId } = await harness.person();
    const leaving = new AbortController();
    const answer = harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'diagnostics', skill: 'sleep', input: { seconds: 1 } },
      headers: events,
      signal: leaving.signal,
    });
    const { sql } = harness.runtime;
    await expect.poll(async () => (await sql`select 1 from calls where key_id = ${keyId}`).length).toBe(1);
    setTimeout(() => leaving.abort(), 50);
    const jobId = readEvents((await answer).text)[0]?.data.job_id as string;
    expect(await untilEnded(key, jobId)).toMatchObject({ status: 'completed' });
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createProbe } from '@/test/support/probe-tool';
import { newId } from '../../kit/ids';
import { reconcile } from '../../money/reconcile/reconcile';
import type { CallResult } from '../result/schema';

const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({
    role: 'web',
    tools: [probe.tool],
    // Tests that need the end of a call wait for it; others send wait=0.
    env: { WAIT_SECONDS: '20', PROVISION_PER_HOUR: '100', PROVISION_PER_DAY: '100' },
  });
});
afterAll(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
  await harness.close();
});

const NOW = { prefer: 'wait=0' };
const SOON = { prefer: 'wait=1' };
type Call = [skill: string, id?: string];
const makeCalls = (calls: readonly Call[]) =>
  calls.map(([skill, id = '']) => ({ tool: 'probe', skill, input: { id } }));
const batch = (key: string, calls: readonly Call[], headers: Record<string, string> = {}, at = harness) =>
  at.request('POST', '/v1/tools/batch', { key, json: { calls: makeCalls(calls) }, headers });
const raw = (key: string, json: object) => harness.request('POST', '/v1/tools/batch', { key, json });
const repeat = (n: number, skill: string): Call[] => Array.from({ length: n }, () => [skill]);
const ids = (n: number) => Array.from({ length: n }, () => newId('request'));
const codes = (results: CallResult[]) => results.map(({ status, error }) => error?.code ?? status);
const findKey = async (keyId: string) => {
  const [row] = await harness.runtime.sql<
    { minute_used: number; running: number; credits_used_microusd: bigint }[]
  >`select *, coalesce(window_used[1], 0) as minute_used from api_keys where id = ${keyId}`;
  if (!row) throw new Error(`There is no key ${keyId}.`);
  return row;
};
const useUp = (keyId: string, used: number) =>
  harness.runtime
    .sql`update api_keys set window_used[1] = ${used}, window_started_at[1] = now() where id = ${keyId}`;
async function untilEnded(key: string, jobId: string) {
  for (;;) {
    const { body } = await harness.request('GET', `/v1/jobs/${jobId}`, { key });
    if (['completed', 'failed', 'cancelled'].includes(body.status)) return body;
  }
}

describe('a batch', () => {
  it('returns results in the order of its calls, whichever ends first', async () => {
    const { key } = await harness.person();
    const [slow = ''] = ids(1);
    const asked = batch(key, [['wait', slow], ['ok', 'b'], ['nothing'], ['ok', 'd']]);
    await probe.waitUntilStarted(slow);
    setTimeout(() => probe.release(slow), 50);
    const { status, body } = await asked;
    expect(status).toBe(200);
    expect(body.results.map(({ output }: CallResult) => output?.id)).toEqual([slow, 'b', undefined, 'd']);
    expect(codes(body.results)).toEqual(['success', 'success', 'SKILL_NOT_FOUND', 'success']);
  });

  it('runs at most five calls concurrently, and the others as slots become free', async () => {
    const { key, keyId } = await harness.person();
    const waits = ids(10);
    probe.maxConcurrent();
    const asked = batch(
      key,
      waits.map((id) => ['wait', id]),
    );
    for (let ended = 0; ended < 10; ended++) {
      while (waits.filter((id) => probe.runs(id) > 0).length < Math.min(10, ended + 5))
        await new Promise((done) => setTimeout(done, 2));
      expect((await findKey(keyId)).running).toBeLessThanOrEqual(5);
      probe.release(waits.filter((id) => probe.runs(id) > 0)[ended] as string);
    }
    expect(codes((await asked).body.results)).toEqual(Array(10).fill('success'));
    expect(probe.maxConcurrent()).toBe(5);
    expect(await findKey(keyId)).toMatchObject({ running: 0, minute_used: 10 });
  });

  it('counts each opened call against the limits, and no other @E1', async () => {
    const { key, keyId } = await harness.person();
    const { headers } = await batch(key, [['ok'], ['nothing'], ['ok'], ['fail']]);
    expect((await findKey(keyId)).minute_used).toBe(3);
    expect(headers['ratelimit-limit']).toBe('60');
    expect((await batch(key, [['ok']])).headers['ratelimit-remaining']).toBe('56');
  });
});

describe('a failing element', () => {
  it('fails alone, is not charged, and reports why @A23', async () => {
    const { key } = await harness.person(1000n);
    const answer = await raw(key, {
      calls: [
        { tool: 'nobody', skill: 'ok', input: {} },
        { tool: 'probe', skill: 'ok_paid', input: { id: 5 } },
        ...makeCalls([['fail_paid'], ['ok_paid', 'paid']]),
      ],
    });
    expect(answer.status).toBe(200);
    expect(codes(answer.body.results)).toEqual([
      'TOOL_NOT_FOUND',
      'INVALID_INPUT',
      'HANDLER_ERROR',
      'success',
    ]);
    expect(answer.body.results.map(({ billed }: CallResult) => billed)).toEqual([false, false, false, true]);
    expect(answer.body.results[1].error.fields).toMatchObject([{ path: 'input.id' }]);
    expect(answer.body.results[3].usage.credits_remaining).toBe(0.0009);
  });

  it('without funds fails alone: of ten with a balance for three exactly three are charged', async () => {
    const { key, keyId } = await harness.person(399n);
    const { status, body } = await batch(key, repeat(10, 'ok_paid'));
    expect(status).toBe(200);
    expect(codes(body.results).sort()).toEqual([
      ...Array(7).fill('INSUFFICIENT_CREDITS'),
      ...Array(3).fill('success'),
    ]);
    expect((await findKey(keyId)).credits_used_microusd).toBe(300n);
  });

  it('of a provisional account requires a claim if it is paid, and runs if it is free', async () => {
    const { body } = await harness.request('POST', '/v1/auth/provision');
    const answer = await batch(body.api_key, [['ok_paid'], ['ok'], ['ok_paid']]);
    expect(codes(answer.body.results)).toEqual(['CLAIM_REQUIRED', 'success', 'CLAIM_REQUIRED']);
    expect(answer.body.results[0].error.claim_url).toMatch(/^http:\/\/gateway\.test\/claim\?token=/);
  });
});

describe('a batch is refused completely', () => {
  it('if an element is malformed: the error names it, and nothing runs', async () => {
    const { key, keyId } = await harness.person();
    const calls: object[] = makeCalls(repeat(5, 'ok'));
    for (const [wrong, path] of [
      [{ tool: 5, skill: 'ok', input: {} }, 'calls[3].tool'],
      [{ tool: 'probe', input: {} }, 'calls[3].skill'],
      [{ tool: 'probe', skill: 'ok', input: [] }, 'calls[3].input'],
      ['probe', 'calls[3]'],
    ] as const) {
      const answer = await raw(key, { calls: calls.with(3, wrong as object) });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: { code: 'INVALID_INPUT', fields: [{ path }] } },
      });
    }
    for (const json of [{ calls: [] }, { calls: makeCalls(repeat(11, 'ok')) }, {}])
      expect(await raw(key, json)).toMatchObject({
        status: 400,
        body: { error: { fields: [{ path: 'calls' }] } },
      });
    expect((await findKey(keyId)).minute_used).toBe(0);
  });

  it('if its key is revoked or its owner is not a member of the billing account', async () => {
    const [owner, outsider] = [await harness.person(), await harness.person()];
    await harness.team(owner.userId, 'batchers', 1000n);
    const json = { calls: makeCalls(repeat(3, 'ok_paid')), billing: 'batchers' };
    expect((await raw(owner.key, json)).body.results[2].meta.billing).toBe('batchers');
    expect(await raw(outsider.key, json)).toMatchObject({
      status: 403,
      body: { error: { code: 'FORBIDDEN' } },
    });
    await harness.request('DELETE', `/v1/keys/${owner.keyId}`, {
      key: (await harness.addKey(owner.accountId)).key,
    });
    expect(await raw(owner.key, json)).toMatchObject({
      status: 401,
      body: { error: { code: 'AUTH_FAILED' } },
    });
  });

  it('if the quota is used up; with some quota left, those calls run and the others are refused', async () => {
    const { key, keyId } = await harness.person();
    await useUp(keyId, 57);
    const some = await batch(key, repeat(10, 'ok'));
    expect(some.status).toBe(200);
    expect(codes(some.body.results).sort()).toEqual([
      ...Array(7).fill('RATE_LIMIT_EXCEEDED'),
      ...Array(3).fill('success'),
    ]);
    expect(some.body.results.find(({ error }: CallResult) => error)?.error.retry_after).toBeGreaterThan(0);
    const none = await batch(key, repeat(10, 'ok'));
    expect(none).toMatchObject({
      status: 429,
      body: { error: { code: 'RATE_LIMIT_EXCEEDED', limit: 'minute' } },
    });
    expect(Number(none.headers['retry-after'])).toBeGreaterThan(0);
    expect(none.headers['ratelimit-remaining']).toBe('0');
  });
});

describe('an element that takes longer than a request waits', () => {
  it('is pending with a job that completes and is charged once', async () => {
    const { key, keyId } = await harness.person(1000n);
    const [slow = ''] = ids(1);
    const { status, body } = await batch(key, [['ok_paid'], ['wait_paid', slow]], SOON);
    expect(status).toBe(200);
    const [paid, pending] = body.results;
    expect(pending.status).toBe('pending');
    // The call is instant, but may be a job if its request has waited too long.
    if (paid.status === 'pending') expect((await untilEnded(key, paid.job_id)).status).toBe('completed');
    else expect(paid.status).toBe('success');
    expect(pending.poll_url).toBe(`http://gateway.test/v1/jobs/${pending.job_id}`);
    probe.release(slow);
    expect(await untilEnded(key, pending.job_id)).toMatchObject({
      status: 'completed',
      output: { id: slow },
    });
    expect((await findKey(keyId)).credits_used_microusd).toBe(200n);
  });

  it('without a slot is a pending job, which runs when one is free, or fails with a reason', async () => {
    const { key, keyId } = await harness.person(550n);
    const waits = ids(5);
    const { body } = await batch(
      key,
      [...waits.map((id): Call => ['wait_paid', id]), ['ok_paid'], ['ok', 'late']],
      SOON,
    );
    expect(codes(body.results)).toEqual(Array(7).fill('pending'));
    const jobs = body.results.map(({ job_id }: CallResult) => job_id);
    expect((await harness.request('GET', `/v1/jobs/${jobs[5]}`, { key, headers: NOW })).body.status).toBe(
      'pending',
    );
    probe.release(...waits);
    const ended = await Promise.all(jobs.map((id: string) => untilEnded(key, id)));
    expect(ended.map(({ status }) => status)).toEqual([...Array(5).fill('completed'), 'failed', 'completed']);
    expect(ended[5]).toMatchObject({ error_code: 'INSUFFICIENT_CREDITS' });
    expect(await findKey(keyId)).toMatchObject({ running: 0, credits_used_microusd: 500n });
  });

  it('of a queued skill runs in a worker', async () => {
    const { key } = await harness.person(1000n);
    const [slow = ''] = ids(1);
    const quick = await batch(key, [['queued', 'q'], ['ok']]);
    expect(codes(quick.body.results)).toEqual(['success', 'success']);
    const { body } = await batch(key, [['queued_paid', slow]], NOW);
    expect(codes(body.results)).toEqual(['pending']);
    probe.release(slow);
    expect(await untilEnded(key, body.results[0].job_id)).toMatchObject({ status: 'completed' });
  });
});

describe('with jobs off', () => {
  it('a batch waits for all of its calls, including queued skills and calls without a slot', async () => {
    const quiet = await startHarness({
      role: 'web',
      tools: [probe.tool],
      env: { WAIT_SECONDS: '0.4', JOBS: 'off' },
      peer: harness,
    });
    const { key } = await quiet.person();
    const waits = ids(6);
    const asked = batch(key, [...waits.map((id): Call => ['wait', id]), ['queued']], {}, quiet);
    setTimeout(() => probe.release(...waits), 700);
    expect(codes((await asked).body.results)).toEqual(Array(7).fill('success'));
    await quiet.close();
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { reconcile } from '@/server/money/reconcile/reconcile';
import { type Harness, startHarness } from '../support/harness';
import { createProbe } from '../support/probe-tool';
import { reapElsewhere } from '../support/reap-as-other-process';

const HOUR_MS = 3_600_000;
const PER_MINUTE = 5;

const probe = createProbe();

describe.each([
  ['an hour ahead of', HOUR_MS],
  ['an hour behind', -HOUR_MS],
])('a process whose clock is %s the database', (_words, skewMs) => {
  let harness: Harness;
  beforeAll(async () => {
    harness = await startHarness({
      role: 'web',
      tools: [probe.tool],
      env: { RATE_PER_MINUTE: String(PER_MINUTE) },
    });
  });
  // Only Date is faked; timers and the monotonic clock are real.
  beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + skewMs }));
  afterEach(() => vi.useRealTimers());
  afterAll(async () => {
    expect((await reconcile(harness.runtime)).differences).toEqual([]);
    await harness.close();
  });

  const call = (key: string, skill: string, id: string, headers: Record<string, string> = {}) =>
    harness.request('POST', '/v1/tools/call', {
      key,
      headers,
      json: { tool: 'probe', skill, input: { id } },
    });

  it('uses the rate limit windows of the database clock: the quota applies and resets within a minute @E13', async () => {
    const { key } = await harness.person();
    const answers = [];
    for (let n = 0; n <= PER_MINUTE; n++) answers.push(await call(key, 'ok', `${skewMs} ${n}`));
    expect(answers.map(({ status }) => status)).toEqual([...Array(PER_MINUTE).fill(200), 429]);
    const wait = Number(answers.at(-1)?.headers['retry-after']);
    expect([wait >= 1, wait <= 60]).toEqual([true, true]);
  });

  it('writes leases of the full length and reaps no valid lease @E13', async () => {
    const { key } = await harness.person(1_000_000n);
    const id = `lease ${skewMs}`;
    const { body } = await call(key, 'wait_paid', id, { prefer: 'wait=0' });
    await probe.waitUntilStarted(id);
    const [row] = await harness.runtime.sql`
      select extract(epoch from lease_expires_at - clock_timestamp())::float as left from calls where id = ${body.id}`;
    expect(Math.abs(Number(row?.left) - harness.runtime.flush.leaseSeconds)).toBeLessThan(20);
    expect(await harness.runtime.running.reap()).toBe(0);
    expect(await reapElsewhere(harness.runtime)).toBe(0);
    harness.runtime.running.stopUnleased();
    probe.release(id);
    const job = await harness.request('GET', body.poll_url, { key, headers: { prefer: 'wait=10' } });
    expect(job.body).toMatchObject({ status: 'completed', result: { usage: { cost: 0.0001 } } });
    expect(job.body.elapsed_seconds).toBeLessThan(60);
  });

  it('runs a queued call once and returns one response per Idempotency-Key @E13', async () => {
    const { key } = await harness.person(1_000_000n);
    const id = `queued ${skewMs}`;
    const once = { 'idempotency-key': id };
    const first = await call(key, 'ok_paid', `once ${id}`, once);
    expect(first.status).toBe(200);
    expect((await call(key, 'ok_paid', `once ${id}`, once)).body).toEqual(first.body);
    expect(probe.runs(`once ${id}`)).toBe(1);
    const { body } = await call(key, 'queued', id, { prefer: 'wait=0' });
    // Long polling: each poll would count against the small quota.
    const job = await harness.request('GET', body.poll_url, { key, headers: { prefer: 'wait=30' } });
    expect(job.body).toMatchObject({ status: 'completed' });
    expect(probe.runs(id)).toBe(1);
  });

  it('counts spending towards the month of the database clock @E13', async () => {
    const { key, accountId } = await harness.person(1_000_000n);
    await call(key, 'ok_paid', `month ${skewMs}`);
    const [row] = await harness.runtime.sql`
      select count(*)::int as calls from usage_records
      where account_id = ${accountId} and abs(extract(epoch from created_at - clock_timestamp())) < 60`;
    expect(row).toEqual({ calls: 1 });
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { addIdempotencyRecord, addJob } from '@/test/support/aged-rows';
import { type Harness, startHarness } from '@/test/support/harness';
import { reconcile } from '../../money/reconcile/reconcile';
import { sweep } from './sweep';
import { SweepTimer } from './sweep-timer';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: { PROVISION_PER_HOUR: '1000', PROVISION_PER_DAY: '1000' } });
});
afterAll(() => harness.close());
afterEach(async () => {
  expect((await reconcile(harness.runtime)).differences).toEqual([]);
});

const sql = () => harness.runtime.sql;
const swept = async () => (await sweep(harness.runtime)).removed;
const exists = async (table: string, column: string, value: string) =>
  (await sql().unsafe(`select 1 from ${table} where ${column} = $1`, [value])).length > 0;

describe('a sweep removes', () => {
  it('finished jobs with input, result and log after a week, and no running job', async () => {
    const [old, fresh, running] = [
      await addJob(sql(), { finished: '7 days 1 minute' }),
      await addJob(sql(), { finished: '6 days 23 hours' }),
      await addJob(sql()),
    ];
    expect(await swept()).toMatchObject({ jobs: 1 });
    expect(await exists('jobs', 'id', old)).toBe(false);
    expect(await exists('job_logs', 'job_id', old)).toBe(false);
    expect(await exists('jobs', 'id', fresh)).toBe(true);
    expect(await exists('job_logs', 'job_id', running)).toBe(true);
  });

  it('stored responses and abandoned idempotency records after a day, but none of a running call', async () => {
    const gone = [
      await addIdempotencyRecord(sql(), { created: '26 hours', finished: '25 hours' }),
      await addIdempotencyRecord(sql(), { created: '50 hours', lease: '49 hours' }),
    ];
    const running = await addJob(sql());
    const [job] = await sql()`select call_id from jobs where id = ${running}`;
    const stay = [
      await addIdempotencyRecord(sql(), { created: '26 hours', finished: '23 hours' }),
      await addIdempotencyRecord(sql(), { created: '26 hours', lease: '-1 minute' }),
      await addIdempotencyRecord(sql(), { created: '50 hours', lease: '49 hours', callId: job?.call_id }),
    ];
    expect(await swept()).toMatchObject({ idempotencyKeys: 2 });
    for (const key of gone) expect(await exists('idempotency_keys', 'key', key)).toBe(false);
    for (const key of stay) expect(await exists('idempotency_keys', 'key', key)).toBe(true);
  });

  it('expired machine top-ups without a payment attempt after a day, and no others', async () => {
    const { accountId } = await harness.person();
    const add = async (id: string, status: string, attempts: number, ago: string) => {
      await sql()`insert into orders (id, kind, mode, account_id, created_by, credits_microusd, fee_microusd,
        total_cents, status, attempts, expires_at, finished_at)
        values (${id}, 'machine', 'sandbox', ${accountId}, 'key:x', 5000000, 800000, 580, ${status}, ${attempts},
          now() - ${ago}::interval, case when ${status} <> 'open' then now() end)`;
      return id;
    };
    const gone = [
      await add('topup_1', 'open', 0, '25 hours'),
      await add('topup_2', 'expired', 0, '25 hours'),
    ];
    const stay = [
      await add('topup_3', 'open', 0, '23 hours'),
      await add('topup_4', 'open', 1, '25 hours'),
      await add('topup_5', 'failed', 1, '25 hours'),
    ];
    expect(await swept()).toMatchObject({ unpaidTopups: 2 });
    for (const id of gone) expect(await exists('orders', 'id', id)).toBe(false);
    for (const id of stay) expect(await exists('orders', 'id', id)).toBe(true);
  });

  it('expired rate-limit windows, sessions and sign-in tokens, and no others', async () => {
    const { userId } = await harness.person();
    for (const [name, age] of [
      ['old', '3 days'],
      ['fresh', '20 hours'],
    ] as const) {
      await sql()`insert into rate_windows values ('provision-day', ${name}, now() - ${age}::interval, 1)`;
      const expires = name === 'old' ? '-1 minute' : '1 minute';
      await sql()`insert into sessions values (${name}, ${userId}, now() + ${expires}::interval)`;
      await sql()`insert into verification_tokens values ('a@b.test', ${name}, now() + ${expires}::interval)`;
    }
    expect(await swept()).toMatchObject({ rateWindows: 1, sessions: 1, signInTokens: 1 });
    for (const [table, column] of [
      ['rate_windows', 'subject'],
      ['sessions', 'session_token'],
      ['verification_tokens', 'token'],
    ] as const) {
      expect(await exists(table, column, 'old')).toBe(false);
      expect(await exists(table, column, 'fresh')).toBe(true);
    }
  });

  it('more than one batch, each row once even with two concurrent sweeps', async () => {
    await sql()`insert into rate_windows select 'provision', 'bulk' || i, now() - interval '9 days', 1
      from generate_series(1, 1300) i`;
    const reports = await Promise.all([sweep(harness.runtime), sweep(harness.runtime)]);
    const first = reports.reduce((sum, { removed }) => sum + removed.rateWindows, 0);
    expect(first + (await swept()).rateWindows).toBe(1300);
    expect(reports.flatMap(({ failed }) => failed)).toEqual([]);
  });
});

describe('sweeping', () => {
  it('is done by one process at a time', async () => {
    const id = await addJob(sql(), { finished: '8 days' });
    const other = await sql().reserve();
    await other`select pg_advisory_lock(7305112044)`;
    expect(await sweep(harness.runtime)).toMatchObject({ elsewhere: true, removed: { jobs: 0 } });
    await other`select pg_advisory_unlock(7305112044)`;
    other.release();
    expect(await exists('jobs', 'id', id)).toBe(true);
    expect(await sweep(harness.runtime)).toMatchObject({ elsewhere: false, removed: { jobs: 1 } });
  });

  it('logs a failing part, does the rest, and logs the counts in one line', async () => {
    const id = await addJob(sql(), { finished: '8 days' });
    await sql()`alter table rate_windows rename to rate_windows_away`;
    harness.log.length = 0;
    const report = await sweep(harness.runtime);
    await sql()`alter table rate_windows_away rename to rate_windows`;
    expect(report).toMatchObject({ failed: ['rateWindows'], removed: { jobs: 1, rateWindows: 0 } });
    expect(await exists('jobs', 'id', id)).toBe(false);
    expect(harness.log.filter((line) => line.includes('sweep.part_failed'))).toHaveLength(1);
    const [line, ...more] = harness.log.filter((text) => text.includes('"sweep.finished"'));
    expect(more).toEqual([]);
    const { level, time, message, ms, ...counts } = JSON.parse(line as string);
    expect([message, counts]).toEqual(['sweep.finished', { jobs: 1 }]);
  });

  it('starts some minutes after the process, and not after a stop', async () => {
    harness.log.length = 0;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const [timer, stopped] = [new SweepTimer(harness.runtime), new SweepTimer(harness.runtime)];
    try {
      timer.start();
      stopped.start();
      await stopped.stop();
      vi.advanceTimersByTime(2 * 60_000);
      expect(harness.log).toEqual([]);
      vi.advanceTimersByTime(8 * 60_000);
    } finally {
      vi.useRealTimers();
    }
    await expect.poll(() => harness.log.join('')).toContain('"sweep.finished"');
    await timer.stop();
    expect(harness.log.filter((line) => line.includes('"sweep.finished"'))).toHaveLength(1);
  });
});

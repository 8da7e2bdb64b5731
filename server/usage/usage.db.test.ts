import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { getReport } from './get-report';
import { periodStart } from './get-usage';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.close());

const call = (key: string, skill: string, input: object) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool: 'diagnostics', skill, input } });

describe('usage', () => {
  it('counts and sums calls by tool, key and time, and equals the history', async () => {
    const person = await harness.person(1_000_000n);
    const second = await harness.addKey(person.accountId);
    await call(person.key, 'echo', { message: 'a' });
    await call(person.key, 'spend', { amount_usd: 0.000001 });
    await call(second.key, 'spend', { amount_usd: 0.25 });
    await call(second.key, 'flaky', { mode: 'throw' });

    const { body } = await harness.request('GET', '/v1/usage?period=day', { key: person.key });
    expect(body).toMatchObject({
      period: 'day',
      calls: 4,
      succeeded: 3,
      failed: 1,
      cost_usd: 0.250001,
      raw_cost_usd: 0,
      byok_calls: 0,
    });
    expect(body.by_tool).toMatchObject([{ tool: 'diagnostics', calls: 4, failed: 1, cost_usd: 0.250001 }]);
    expect(body.by_key.map((row: { key_id: string; calls: number }) => [row.key_id, row.calls])).toEqual([
      [second.keyId, 2],
      [person.keyId, 2],
    ]);
    expect(body.by_time).toHaveLength(24);
    expect(body.by_time.at(-1)).toMatchObject({ calls: 4, cost_usd: 0.250001 });

    const one = await harness.request('GET', `/v1/usage?period=all&key_id=${second.keyId}`, {
      key: person.key,
    });
    expect(one.body).toMatchObject({ calls: 2, failed: 1, cost_usd: 0.25, key_id: second.keyId });
    const history = await harness.request('GET', '/v1/usage/history', { key: person.key });
    const sum = history.body.records.reduce(
      (total: number, row: { cost_usd: number }) => total + row.cost_usd,
      0,
    );
    expect(sum).toBeCloseTo(0.250001, 9);
    expect(history.body.records[0]).toMatchObject({
      status: 'error',
      error_code: 'HANDLER_ERROR',
      cost_usd: 0,
      skill: 'flaky',
    });
  });

  it('orders equal rows by name', async () => {
    const person = await harness.person(1_000_000n);
    for (const tool of ['weather', 'code', 'speech', 'math'])
      await harness.runtime
        .sql`insert into usage_rollups (account_id, hour, key_id, tool, calls, failed, byok_calls,
          raw_cost_microusd, markup_microusd, latency_ms_sum)
        values (${person.accountId}, date_trunc('hour', now(), 'UTC'), ${person.keyId}, ${tool}, 4, 0, 0, 0, 0, 40)`;
    const { body } = await harness.request('GET', '/v1/usage?period=month', { key: person.key });
    const report = await getReport(harness.runtime, createSessionActor(person), { period: '30d' });
    for (const byTool of [body.by_tool, report.by_tool])
      expect(byTool.map(({ tool }: { tool: string }) => tool)).toEqual(['code', 'math', 'speech', 'weather']);
  });

  it('a failing call costs nothing and reports billed: false', async () => {
    const person = await harness.person(1_000_000n);
    for (const mode of ['throw', 'bad_output']) {
      const failed = await call(person.key, 'flaky', { mode });
      expect(failed).toMatchObject({
        status: 502,
        body: { error: { code: 'HANDLER_ERROR', type: 'provider', billed: false } },
      });
      expect(failed.headers['ratelimit-policy']).toBeDefined();
    }
    expect(
      (await harness.request('GET', '/v1/billing/balance', { key: person.key })).body.available_usd,
    ).toBe(1);
  });

  it('pages through the history without gaps or duplicates, and refuses invalid cursors', async () => {
    const person = await harness.person();
    for (let i = 0; i < 7; i++) await call(person.key, 'echo', { message: i });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { body: { records: { id: string }[]; next_cursor: string | null } } = await harness.request(
        'GET',
        `/v1/usage/history?limit=3${cursor === '' ? '' : `&cursor=${cursor}`}`,
        { key: person.key },
      );
      seen.push(...page.body.records.map((row) => row.id));
      cursor = page.body.next_cursor;
    }
    expect(seen).toHaveLength(7);
    expect(seen).toEqual([...new Set(seen)].sort().reverse());
    expect((await harness.request('GET', '/v1/usage/history?cursor=bogus', { key: person.key })).status).toBe(
      400,
    );
  });

  it('is empty for an account without calls', async () => {
    const { key } = await harness.person();
    for (const period of ['day', 'week', 'month', 'all'])
      expect((await harness.request('GET', `/v1/usage?period=${period}`, { key })).body).toMatchObject({
        calls: 0,
        cost_usd: 0,
        by_tool: [],
        by_key: [],
      });
  });

  it('starts a period on a full hour or day, UTC', () => {
    const now = new Date('2026-03-01T00:30:00Z');
    expect(periodStart('day', now)?.toISOString()).toBe('2026-02-28T01:00:00.000Z');
    expect(periodStart('week', now)?.toISOString()).toBe('2026-02-23T00:00:00.000Z');
    expect(periodStart('month', now)?.toISOString()).toBe('2026-01-31T00:00:00.000Z');
    expect(periodStart('all', now)).toBeNull();
  });
});

describe('a dry run', () => {
  it('neither runs, charges nor counts, and reports what the call would cost', async () => {
    const person = await harness.person(100_000n);
    const dry = (skill: string, input: object) =>
      harness.request('POST', '/v1/tools/call', {
        key: person.key,
        json: { tool: 'diagnostics', skill, input, dry_run: true },
      });
    expect((await dry('spend', { amount_usd: 0.05 })).body).toMatchObject({
      valid: true,
      input_valid: true,
      estimated_cost_usd: 0.05,
      billing: { balance_usd: 0.1, sufficient: true },
      rate_limit: { remaining: 60, limit: 60 },
    });
    expect((await dry('spend', { amount_usd: 0.5 })).body).toMatchObject({
      valid: false,
      input_valid: true,
      billing: { sufficient: false },
    });
    const bad = await dry('spend', { amount_usd: 'much' });
    expect(bad).toMatchObject({
      status: 200,
      body: { valid: false, input_valid: false, input_errors: [{ path: 'input.amount_usd' }] },
    });
    expect((await dry('nope', {})).body.error.code).toBe('SKILL_NOT_FOUND');
    expect((await harness.request('GET', '/v1/usage', { key: person.key })).body.calls).toBe(0);
  });
});

describe('a review', () => {
  it('is unique per tool and account, free, verified by a call, and shown in the catalogue at once', async () => {
    const person = await harness.person();
    const post = (rating: number) =>
      harness.request('POST', '/v1/reviews', {
        key: person.key,
        json: { tool: 'math', rating, review: '<b>fine</b>' },
      });
    const first = await post(5);
    expect(first.body).toMatchObject({ tool: 'math', rating: 5, review: '<b>fine</b>', verified: false });
    const math = { tool: 'math', skill: 'evaluate', input: { expression: '1' } };
    expect((await harness.request('POST', '/v1/tools/call', { key: person.key, json: math })).status).toBe(
      200,
    );
    expect((await post(3)).body).toMatchObject({ id: first.body.id, verified: true });
    expect((await harness.request('GET', '/v1/tools/math')).body.rating).toEqual({ average: 3, count: 1 });
    const unknown = await harness.request('POST', '/v1/reviews', {
      key: person.key,
      json: { tool: '__proto__', rating: 5 },
    });
    expect(unknown.body.error.code).toBe('TOOL_NOT_FOUND');
  });
});

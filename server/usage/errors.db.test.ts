import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createSessionActor } from '@/test/support/session-actor';
import { UNLIMITED_RATES } from '@/test/support/unlimited-rates';
import { getChoices } from './get-choices';
import { getErrorReport } from './get-errors';
import { NO_ERROR_CODE } from './limits';
import { listCalls } from './list-calls';
import type { UsageErrors, UsageFilter } from './schema';
import { seedUsage } from './seed-usage';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ env: UNLIMITED_RATES });
});
afterAll(() => harness.close());

const call = (key: string, tool: string, skill: string, input: object) =>
  harness.request('POST', '/v1/tools/call', { key, json: { tool, skill, input } });
const rowsOf = ({ errors }: UsageErrors) =>
  errors.map(({ tool, error_code, calls, keys }) => [tool, error_code, calls, keys]);

/** Two keys: three failures of a tool, one rejected input of another, and a success. */
async function failingPerson() {
  const person = await harness.person(1_000_000n);
  const second = await harness.addKey(person.accountId);
  for (const key of [person.key, person.key, second.key])
    expect((await call(key, 'diagnostics', 'flaky', { mode: 'throw' })).status).toBe(502);
  expect((await call(second.key, 'math', 'evaluate', { expression: '1 +' })).status).toBe(400);
  expect((await call(second.key, 'math', 'evaluate', { expression: '1 + 1' })).status).toBe(200);
  return { person, second };
}

describe('errors by tool and code', () => {
  it('count failed calls with the keys they hit, when they began and ended, and their trend', async () => {
    const { person, second } = await failingPerson();
    const { status, body } = await harness.request('GET', '/v1/usage/errors?period=day', { key: person.key });
    expect(status).toBe(200);
    expect(rowsOf(body)).toEqual([
      ['diagnostics', 'HANDLER_ERROR', 3, 2],
      ['math', 'INVALID_INPUT', 1, 1],
    ]);
    expect(body).toMatchObject({ failed: 4, keys: 2, unit: 'hour', counted_from: null, errors_left_out: 0 });
    expect(body.trend_at).toHaveLength(24);
    const [flaky, invalid] = body.errors;
    expect(Date.parse(flaky.first_at)).toBeLessThan(Date.parse(flaky.last_at));
    expect([body.first_at, body.last_at]).toEqual([flaky.first_at, invalid.last_at]);
    for (const row of body.errors) {
      expect(row.trend).toHaveLength(24);
      expect(row.trend.reduce((total: number, calls: number) => total + calls, 0)).toBe(row.calls);
    }

    // Of one key, of one tool, and for a restricted key only its own.
    const ofKey = `/v1/usage/errors?key_id=${second.keyId}`;
    expect(rowsOf((await harness.request('GET', ofKey, { key: person.key })).body)).toEqual([
      ['math', 'INVALID_INPUT', 1, 1],
      ['diagnostics', 'HANDLER_ERROR', 1, 1],
    ]);
    const ofTool = await harness.request('GET', '/v1/usage/errors?tool=math', { key: person.key });
    expect(rowsOf(ofTool.body)).toEqual([['math', 'INVALID_INPUT', 1, 1]]);
    await harness.runtime.sql`update api_keys set credits_microusd = 1000000 where id = ${person.keyId}`;
    const own = await harness.request('GET', '/v1/usage/errors', { key: person.key });
    expect(rowsOf(own.body)).toEqual([['diagnostics', 'HANDLER_ERROR', 2, 1]]);
    expect((await harness.request('GET', ofKey, { key: person.key })).status).toBe(404);
  });

  it('of calls without a code are a row, which leads to these calls only', async () => {
    const { person } = await failingPerson();
    await harness.runtime.sql`
      update usage_records set error_code = null where account_id = ${person.accountId} and tool = 'math'`;
    const actor = createSessionActor(person);
    const report = await getErrorReport(harness.runtime, actor, { period: '24h' });
    expect(rowsOf(report)).toContainEqual(['math', NO_ERROR_CODE, 1, 1]);
    const filter = { period: '24h', error_code: NO_ERROR_CODE } as const;
    expect((await getErrorReport(harness.runtime, actor, filter)).failed).toBe(1);
    const { calls } = await listCalls(harness.runtime, actor, filter);
    expect(calls.map(({ tool, error_code }) => [tool, error_code])).toEqual([['math', null]]);
  });

  it('belong to the account that was charged, and need a valid period', async () => {
    const { person } = await failingPerson();
    const other = await harness.person();
    const empty = await harness.request('GET', '/v1/usage/errors?period=all', { key: other.key });
    expect(empty.body).toMatchObject({ failed: 0, keys: 0, first_at: null, last_at: null, errors: [] });
    const foreign = `/v1/usage/errors?key_id=${person.keyId}`;
    expect((await harness.request('GET', foreign, { key: other.key })).status).toBe(404);
    expect((await harness.request('GET', '/v1/usage/errors?period=year', { key: other.key })).status).toBe(
      400,
    );
    await expect(
      getErrorReport(harness.runtime, createSessionActor(other), { billing: 'no-team-of-mine' }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('equal the list of failed calls for any filter, and each row is the slice of its tool and code', async () => {
    const person = await harness.person();
    await seedUsage(harness.runtime, 'operator:test', { accountId: person.accountId, rows: 4_000, days: 70 });
    const actor = createSessionActor(person);
    const { keys, tools } = await getChoices(harness.runtime, actor, undefined);
    const filters: UsageFilter[] = [
      { period: 'all' },
      { period: '90d', tool: tools[0] },
      { period: '30d', key_id: keys[0]?.key_id },
      { period: '7d', status: 'error' },
      { period: '24h' },
      { period: 'mtd', error_code: 'INTERNAL' },
    ];
    for (const filter of filters) {
      const errors = await getErrorReport(harness.runtime, actor, filter);
      const failed = await listAll({ ...filter, status: 'error' });
      expect(errors.failed, JSON.stringify(filter)).toBe(failed.length);
      expect(errors.keys).toBe(new Set(failed.map((each) => each.key_id)).size);
      expect(errors.errors.reduce((total, row) => total + row.calls, 0)).toBe(errors.failed);
      for (const row of errors.errors) {
        const slice = failed.filter((each) => each.tool === row.tool && each.error_code === row.error_code);
        const ends = slice.map((each) => each.finished_at).sort();
        expect([slice.length, ends[0], ends.at(-1)]).toEqual([row.calls, row.first_at, row.last_at]);
        expect(row.trend.length).toBeLessThanOrEqual(30);
        expect(row.trend.length).toBe(errors.trend_at.length);
        expect(row.trend.reduce((total, calls) => total + calls, 0)).toBe(row.calls);
      }
    }
    expect((await getErrorReport(harness.runtime, actor, { period: 'all' })).failed).toBeGreaterThan(20);

    async function listAll(filter: UsageFilter) {
      const found = [];
      let cursor: string | undefined;
      do {
        const page = await listCalls(harness.runtime, actor, { ...filter, limit: 100, cursor });
        found.push(...page.calls);
        cursor = page.next_cursor ?? undefined;
      } while (cursor !== undefined);
      return found;
    }
  }, 60_000);
});

import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Executor } from '@/db/client';
import { type Harness, startHarness } from '@/test/support/harness';
import { lowestIdAt, newId } from '../kit/ids';
import { ANY_TIME, findCall, listCalls } from './calls-store';
import { countFailures } from './errors-store';
import { sumUsage } from './store';

/** More rows give the same plans, and the test takes minutes. */
const RECORDS = 300_000;
const ACCOUNTS = 20;
const DAY_MS = 86_400_000;

let harness: Harness;
let person: Awaited<ReturnType<Harness['person']>>;
beforeAll(async () => {
  harness = await startHarness({ role: 'web' });
  person = await harness.person(1_000_000n);
}, 120_000);
afterAll(() => harness.close());

describe(`with ${RECORDS} calls in the history`, () => {
  beforeAll(seed, 300_000);

  it('no query scans a complete table @E17', async () => {
    const { db } = harness.runtime;
    const scope = { accountId: person.accountId, keyId: undefined };
    const now = Date.now();
    const span = { from: new Date(now - 20 * DAY_MS), to: new Date(now) };
    const filter = {
      accountIds: [person.accountId],
      keyId: undefined,
      tool: undefined,
      status: undefined,
      member: undefined,
    };
    const middle = lowestIdAt('call', now - 10 * DAY_MS);
    const queries: Record<string, (executor: Executor) => Promise<unknown>> = {
      newest: (it) => listCalls(it, filter, ANY_TIME, undefined, 50),
      'a later page': (it) => listCalls(it, filter, ANY_TIME, middle, 50),
      'of one key': (it) => listCalls(it, { ...filter, keyId: person.keyId }, ANY_TIME, undefined, 50),
      'calls of a span': (it) => listCalls(it, filter, span, undefined, 50),
      'of one tool': (it) => listCalls(it, { ...filter, tool: 'tool-7' }, span, undefined, 50),
      'that failed': (it) => listCalls(it, { ...filter, status: 'error' }, span, undefined, 50),
      'of one request, in any period': (it) =>
        listCalls(it, { ...filter, requestId: 'req_5' }, span, undefined, 50),
      'with one id, in any period': (it) => listCalls(it, { ...filter, callId: middle }, span, undefined, 50),
      'with an error code': (it) =>
        listCalls(it, { ...filter, errorCode: 'TOOL_UNAVAILABLE' }, span, undefined, 50),
      'errors by tool and code': (it) => countFailures(it, filter, span, 'day'),
      'errors of one tool': (it) => countFailures(it, { ...filter, tool: 'tool-7' }, span, 'day'),
      'one call': (it) => findCall(it, { accountIds: [person.accountId], keyId: null }, newId('call', now)),
      'sums by day': (it) => sumUsage(it, scope, span.from, 'day'),
      'sums by hour': (it) => sumUsage(it, scope, span.from, 'hour'),
    };
    for (const [name, ask] of Object.entries(queries)) {
      const plans: string[] = [];
      const explaining = {
        execute: async (query: SQL) => {
          const rows = await db.execute(sql`explain (format json) ${query}`);
          plans.push(JSON.stringify(rows));
          return db.execute(query);
        },
      } as unknown as Executor;
      await ask(explaining);
      expect(plans, name).not.toEqual([]);
      expect(plans.flatMap(scannedWhole), name).toEqual([]);
    }
  });
});

/** Tables with many rows that a plan scans completely. */
function scannedWhole(plan: string): string[] {
  return [
    ...plan.matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(usage_\w+)"[^{}]*?"Plan Rows":(\d+)/g),
  ]
    .filter(([, , rows]) => Number(rows) > 1_000)
    .map(([, name]) => name ?? '');
}

/** Seeds calls of the last 25 days for many accounts; the tested one has an equal share. */
async function seed(): Promise<void> {
  const { sql: raw } = harness.runtime;
  const now = Date.now();
  const from = now - 25 * DAY_MS;
  // Ids contain their time: the bound of each day plus a number.
  for (let day = 0; day < 25; day++) {
    const at = from + day * DAY_MS;
    const prefix = lowestIdAt('call', at).slice(0, -8);
    await raw`
      insert into usage_records (account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd, markup_microusd,
        byok, latency_ms, error_code, request_id, created_at, finished_at)
      select case when n % ${ACCOUNTS} = 0 then ${person.accountId} else 'acct_' || n % ${ACCOUNTS} end,
        ${prefix} || lpad(n::text, 8, '0'), case when n % ${ACCOUNTS} = 0 then ${person.keyId} else 'key_' || n % ${ACCOUNTS} end,
        'personal', 'tool-' || n % 50, 'skill_0', case when n % 33 = 0 then 'error' else 'success' end, 0, 0, false, 5,
        case when n % 33 = 0 then 'HANDLER_ERROR' end, 'req_' || n, ${new Date(at).toISOString()}::timestamptz + n * interval '1 second',
        ${new Date(at).toISOString()}::timestamptz + n * interval '1 second' + interval '5 milliseconds'
      from generate_series(1, ${RECORDS / 25}) n`;
  }
  await raw`analyze usage_records`;
}

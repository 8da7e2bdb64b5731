import { type SQL, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import type { Executor } from '@/db/client';
import { type Harness, startHarness } from '@/test/support/harness';
import { listBlocked, listReasons } from './blocked-store';

const KEYS = 200;
const REFUSALS_PER_KEY = 100;
const CALLS_PER_KEY = 100;
const SEEDED = KEYS * (REFUSALS_PER_KEY + CALLS_PER_KEY);
const HOUR_MS = 3_600_000;

let harness: Harness;
let accountId: string;
beforeAll(async () => {
  harness = await startHarness();
  accountId = (await harness.person()).accountId;
  await seed();
}, 120_000);
afterAll(() => harness.close());

it('what refuses calls of many keys, and is not repaired, is found by reading each row a few times @E17', async () => {
  const now = Date.now();
  const span = { from: new Date(now - 24 * HOUR_MS), to: new Date(now + HOUR_MS) };
  const queries = {
    blocked: (db: Executor) => listBlocked(db, accountId),
    unrepaired: (db: Executor) =>
      listReasons(db, { accountIds: [accountId] }, span, [{ tool: 'web-search', provider: 'tavily' }]),
  };
  for (const [name, ask] of Object.entries(queries)) {
    let rows = 0;
    const { db } = harness.runtime;
    const explaining = {
      execute: async (query: SQL) => {
        const [plan] = await db.execute(sql`explain (analyze, timing off, format json) ${query}`);
        rows += countRows(planSchema.parse(plan)['QUERY PLAN'][0].Plan);
        return db.execute(query);
      },
    } as unknown as Executor;
    expect((await ask(explaining)).length, name).toBeGreaterThanOrEqual(KEYS);
    expect(rows, name).toBeGreaterThan(KEYS);
    expect(rows, name).toBeLessThan(15 * SEEDED);
  }
});

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number | undefined;
  'Rows Removed by Join Filter'?: number | undefined;
  Plans?: PlanNode[] | undefined;
}
const nodeSchema: z.ZodType<PlanNode> = z.lazy(() =>
  z.object({
    'Actual Rows': z.number(),
    'Actual Loops': z.number(),
    'Rows Removed by Filter': z.number().optional(),
    'Rows Removed by Join Filter': z.number().optional(),
    Plans: z.array(nodeSchema).optional(),
  }),
);
const planSchema = z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: nodeSchema })]) });

/** The rows that all nodes of a plan have read. */
function countRows(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  const below = (node.Plans ?? []).reduce((sum, each) => sum + countRows(each), 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'] + below;
}

/** Gives an account many keys, each refused for several reasons and tools, and their calls. */
async function seed(): Promise<void> {
  const { sql: raw } = harness.runtime;
  for (let n = 1; n < KEYS; n++) await harness.addKey(accountId);
  await raw`
    insert into refusal_minutes (account_id, minute, key_id, code, limit_name, tool, refused, last_at, retry_at, rules_version)
    select ${accountId}, date_trunc('minute', now()) - n * interval '1 minute', k.id,
      (array['SPENDING_LIMIT_EXCEEDED', 'INVALID_INPUT', 'INSUFFICIENT_CREDITS', 'TOOL_NOT_ALLOWED'])[1 + n % 4],
      (array['key', '', 'account', ''])[1 + n % 4], 'tool-' || n % 21, 1, now() - n * interval '1 minute',
      case when n % 4 = 0 then now() + interval '1 day' end, k.rules_version
    from api_keys k, generate_series(1, ${REFUSALS_PER_KEY}) n where k.account_id = ${accountId}`;
  await raw`
    insert into usage_records (account_id, id, key_id, billing, tool, skill, status, raw_cost_microusd, markup_microusd,
      byok, latency_ms, created_at, finished_at)
    select ${accountId}, 'call_' || n || k.id, k.id, 'personal', 'other', 'skill', 'success', 0, 0, false, 5,
      now() - n * interval '1 second', now() - n * interval '1 second'
    from api_keys k, generate_series(1, ${CALLS_PER_KEY}) n where k.account_id = ${accountId}`;
  await raw`analyze refusal_minutes, usage_records, api_keys`;
}

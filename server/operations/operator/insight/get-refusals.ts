import { sql } from 'drizzle-orm';
import { defineRow, float, integer, text } from '@/db/rows';
import type { Runtime } from '../../../core/runtime';
import { resolvePeriod } from '../../../usage/period';
import type { InsightPeriod, InsightRefusals } from './schema';

const codeRow = defineRow({
  code: text(),
  limit_name: text(),
  refused: float(),
  accounts: integer(),
  last_ms: float(),
});

/** Counts the refused calls of all accounts by code and limit, the most frequent first. */
export async function getInsightRefusals(
  { db, ports }: Pick<Runtime, 'db' | 'ports'>,
  period: InsightPeriod,
): Promise<InsightRefusals> {
  const { from, to } = resolvePeriod({ period }, ports.clock.now(), null);
  const rows = await codeRow.read(
    db.execute(sql`
      select code, limit_name, sum(refused)::float8 as refused, count(distinct account_id)::int as accounts,
        (extract(epoch from max(last_at)) * 1000)::float8 as last_ms
      from refusal_minutes
      where minute >= ${from.toISOString()}::timestamptz and minute < ${to.toISOString()}::timestamptz
      group by 1, 2 order by 3 desc, 1, 2`),
  );
  return {
    refused: rows.reduce((sum, { refused }) => sum + refused, 0),
    by_code: rows.map((row) => ({
      error_code: row.code,
      limit: row.limit_name || null,
      refused: row.refused,
      accounts: row.accounts,
      last_at: new Date(row.last_ms).toISOString(),
    })),
  };
}

import { desc, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { toolPrices } from '@/db/schema/tool-prices';

export type PriceChangeRow = typeof toolPrices.$inferSelect;

/** @param effectiveAt null for now, by the clock of the database */
export async function insertPriceChange(
  tx: Executor,
  row: Pick<PriceChangeRow, 'tool' | 'skill' | 'feeMicrousd' | 'markupPpm' | 'reason' | 'createdBy'>,
  effectiveAt: Date | null,
): Promise<void> {
  await tx.insert(toolPrices).values({ ...row, effectiveAt: effectiveAt ?? sql`now()` });
  await tx.execute(sql`select pg_notify('gateway', 'tools')`);
}

/** The price changes of a tool, newest first. */
export async function listPriceChanges(db: Executor, tool: string, limit: number): Promise<PriceChangeRow[]> {
  return await db
    .select()
    .from(toolPrices)
    .where(eq(toolPrices.tool, tool))
    .orderBy(desc(toolPrices.id))
    .limit(limit);
}

/** The changes of a tool in force by the clock of the database: the last one made of each skill. */
export async function listPricesInForce(db: Executor, tool: string): Promise<PriceChangeRow[]> {
  return await db
    .select()
    .from(toolPrices)
    .where(sql`id in (
    select distinct on (p.skill) p.id from tool_prices p where p.tool = ${tool} and p.effective_at <= now()
    order by p.skill, p.id desc)`);
}

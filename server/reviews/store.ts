import { desc, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { reviews } from '@/db/schema/reviews';

export type ReviewRow = typeof reviews.$inferSelect;

/** One a tool and account: posting again changes it and keeps its id. */
export async function upsertReview(db: Executor, row: typeof reviews.$inferInsert): Promise<ReviewRow> {
  const [saved] = await db
    .insert(reviews)
    .values(row)
    .onConflictDoUpdate({
      target: [reviews.tool, reviews.accountId],
      set: { rating: row.rating, review: row.review ?? null, updatedAt: sql`now()` },
    })
    .returning();
  return saved as ReviewRow;
}

/** Whether the account has called the tool with success. */
export async function hasCalled(db: Executor, accountId: string, tool: string): Promise<boolean> {
  const [row] = await db.execute<{ called: boolean }>(sql`
    select exists (select 1 from usage_rollups
      where account_id = ${accountId} and tool = ${tool} and calls > failed) as called`);
  return row?.called ?? false;
}

export async function listReviewsOf(db: Executor, tool: string, limit: number) {
  return await db
    .select({
      row: reviews,
      verified: sql<boolean>`exists (select 1 from usage_rollups u
        where u.account_id = ${reviews.accountId} and u.tool = ${reviews.tool} and u.calls > u.failed)`,
    })
    .from(reviews)
    .where(eq(reviews.tool, tool))
    .orderBy(desc(reviews.updatedAt))
    .limit(limit);
}

import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { boolean, defineRow, integer, text, timestamptz } from '@/db/rows';
import { reviews } from '@/db/schema/reviews';
import { countedReviews, HAS_CALLED } from './counted-reviews';
import type { ReviewSort } from './schema';

export type ReviewRow = typeof reviews.$inferSelect;

/** Inserts or replaces the account's review of a tool; a replaced review keeps its id. */
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

const calledRow = defineRow({ called: boolean() });

/** Whether the account has called the tool successfully. */
export async function hasCalled(db: Executor, accountId: string, tool: string): Promise<boolean> {
  const [row] = await calledRow.read(
    db.execute(sql`
      select ${HAS_CALLED} as called from (values (${accountId}, ${tool})) reviews(account_id, tool)`),
  );
  return row?.called ?? false;
}

/** The last review of a page; the time in microseconds, as text. */
export interface ReviewPosition {
  rating: number;
  updatedAt: string;
  id: string;
}

const UPDATED_AT = sql<string>`to_char(${reviews.updatedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const HAS_OPEN_ACCOUNT = sql`exists (select 1 from accounts a where a.id = reviews.account_id and a.closed_at is null)`;

/** Lists a tool's reviews: newest first, or by stars and then newest first. */
export async function listToolReviews(
  db: Executor,
  tool: string,
  sort: ReviewSort,
  after: ReviewPosition | null,
  limit: number,
) {
  const older = sql`(${reviews.updatedAt}, ${reviews.id}) < (${after?.updatedAt ?? ''}::timestamptz, ${after?.id ?? ''})`;
  const rating = after?.rating ?? 0;
  const rest = {
    newest: older,
    highest: sql`(${reviews.rating} < ${rating} or ${reviews.rating} = ${rating} and ${older})`,
    lowest: sql`(${reviews.rating} > ${rating} or ${reviews.rating} = ${rating} and ${older})`,
  }[sort];
  const byStars = { newest: [], highest: [desc(reviews.rating)], lowest: [asc(reviews.rating)] }[sort];
  return await db
    .select({
      row: reviews,
      updatedAt: UPDATED_AT,
      verified: sql<boolean>`${HAS_CALLED}`,
    })
    .from(reviews)
    .where(and(eq(reviews.tool, tool), HAS_OPEN_ACCOUNT, after ? rest : undefined))
    .orderBy(...byStars, desc(reviews.updatedAt), desc(reviews.id))
    .limit(limit);
}

/** Counts the listed reviews, also those that do not count in the rating. */
export async function countListed(db: Executor, tool: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(reviews)
    .where(and(eq(reviews.tool, tool), HAS_OPEN_ACCOUNT));
  return row?.count ?? 0;
}

const starsRow = defineRow({ rating: integer(), count: integer() });

/** Counts the reviews that count in the rating, by number of stars. */
export async function countStars(db: Executor, tool: string): Promise<{ rating: number; count: number }[]> {
  return await starsRow.read(
    db.execute(sql`
      select rating, count(*)::int as count from (${countedReviews(sql`reviews.tool = ${tool}`)}) r group by rating`),
  );
}

/** Lists an account's reviews, latest first. */
export async function listAccountReviews(db: Executor, accountId: string): Promise<ReviewRow[]> {
  return await db
    .select()
    .from(reviews)
    .where(eq(reviews.accountId, accountId))
    .orderBy(desc(reviews.updatedAt), desc(reviews.id));
}

const usedToolRow = defineRow({
  tool: text(),
  calls: integer(),
  verified: boolean(),
  last_used_at: timestamptz(),
});

/**
 * Lists the tools that an account has ever called, most recent first. Roll-ups are hourly, so the
 * last use is the end of its hour at the latest.
 */
export async function listUsedTools(
  db: Executor,
  accountId: string,
): Promise<{ tool: string; calls: number; verified: boolean; last_used_at: Date }[]> {
  const rows = await usedToolRow.read(
    db.execute(sql`
      select tool, sum(calls)::int as calls, bool_or(calls > failed) as verified,
        least(max(hour) + interval '1 hour', now()) as last_used_at
      from usage_rollups where account_id = ${accountId} group by tool order by max(hour) desc, tool`),
  );
  return rows.map((row) => ({ ...row, last_used_at: new Date(row.last_used_at) }));
}

/** @returns false if the account has not rated the tool */
export async function deleteReview(db: Executor, accountId: string, tool: string): Promise<boolean> {
  const rows = await db
    .delete(reviews)
    .where(and(eq(reviews.accountId, accountId), eq(reviews.tool, tool)))
    .returning({ id: reviews.id });
  return rows.length > 0;
}

import { and, desc, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, text, timestamptz } from '@/db/rows';
import { promoCodes, promoRedemptions } from '@/db/schema/promos';

export type PromoRow = typeof promoCodes.$inferSelect;

/** @returns false if the code exists */
export async function insertPromo(tx: Executor, row: typeof promoCodes.$inferInsert): Promise<boolean> {
  const added = await tx
    .insert(promoCodes)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: promoCodes.id });
  return added.length > 0;
}

/** Lists codes, newest first. */
export async function listPromoRows(db: Executor, before: string | null, limit: number): Promise<PromoRow[]> {
  return await db
    .select()
    .from(promoCodes)
    .where(before === null ? undefined : lt(promoCodes.id, before))
    .orderBy(desc(promoCodes.id))
    .limit(limit);
}

/** @returns null if there is no such code that is not deactivated */
export async function markDeactivated(tx: Executor, id: string): Promise<PromoRow | null> {
  const [row] = await tx
    .update(promoCodes)
    .set({ deactivatedAt: sql`now()` })
    .where(and(eq(promoCodes.id, id), isNull(promoCodes.deactivatedAt)))
    .returning();
  return row ?? null;
}

/** Locks a code: its redemptions run one after the other. */
export async function lockPromo(tx: Executor, code: string): Promise<PromoRow | null> {
  const [row] = await tx.select().from(promoCodes).where(eq(promoCodes.code, code)).for('update');
  return row ?? null;
}

/**
 * Records a redemption of a locked code and counts it.
 * @returns false if this person or inbox has redeemed the code before
 */
export async function insertRedemption(
  tx: Executor,
  row: typeof promoRedemptions.$inferInsert,
): Promise<boolean> {
  const added = await tx
    .insert(promoRedemptions)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: promoRedemptions.id });
  if (added.length === 0) return false;
  await tx
    .update(promoCodes)
    .set({ redeemed: sql`${promoCodes.redeemed} + 1` })
    .where(eq(promoCodes.id, row.promoId));
  return true;
}

/** Finds a redemption of a locked code by the person or the inbox. */
export async function hasRedeemed(
  tx: Executor,
  {
    promoId,
    userId,
    inboxHash,
  }: Pick<typeof promoRedemptions.$inferInsert, 'promoId' | 'userId' | 'inboxHash'>,
): Promise<boolean> {
  const [row] = await tx
    .select({ id: promoRedemptions.id })
    .from(promoRedemptions)
    .where(
      and(
        eq(promoRedemptions.promoId, promoId),
        sql`(${promoRedemptions.userId} = ${userId} or ${promoRedemptions.inboxHash} = ${inboxHash})`,
      ),
    )
    .limit(1);
  return row !== undefined;
}

const personRow = defineRow({ is_new: boolean() });

/** Whether the person signed up after the code was created. */
export async function isNewPerson(tx: Executor, userId: string, promoId: string): Promise<boolean> {
  const [row] = await personRow.read(
    tx.execute(sql`
      select u.created_at >= p.created_at as is_new from users u, promo_codes p
      where u.id = ${userId} and p.id = ${promoId}`),
  );
  return row?.is_new ?? false;
}

const redemptionRow = defineRow({
  id: text(),
  account_id: text(),
  account_name: text().nullable(),
  amount: bigint(),
  created_at: timestamptz(),
});

/** Lists redemptions of a code, newest first. */
export async function listRedemptionRows(
  db: Executor,
  promoId: string,
  before: string | null,
  limit: number,
) {
  return await redemptionRow.read(
    db.execute(sql`
      select r.id, r.account_id, a.name as account_name, r.amount_microusd as amount, r.created_at
      from promo_redemptions r left join accounts a on a.id = r.account_id
      where r.promo_id = ${promoId} ${before === null ? sql`` : sql`and r.id < ${before}`}
      order by r.id desc limit ${limit}`),
  );
}

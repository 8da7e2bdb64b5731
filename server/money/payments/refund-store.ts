import { and, asc, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { type PaymentMode, payments, refunds } from '@/db/schema/payments';

export type Refund = typeof refunds.$inferSelect;

export async function insertRefund(tx: Executor, row: typeof refunds.$inferInsert): Promise<void> {
  await tx.insert(refunds).values(row);
}

export async function findRefund(db: Executor, id: string): Promise<Refund | null> {
  const [row] = await db.select().from(refunds).where(eq(refunds.id, id));
  return row ?? null;
}

/**
 * Cents of open refunds of a payment, which the ledger may not contain yet. The payment must be
 * locked.
 */
export async function sumOpenRefunds(tx: Executor, paymentId: string): Promise<number> {
  const [row] = await tx
    .select({ cents: sql<number>`coalesce(sum(${refunds.cents}), 0)::int` })
    .from(refunds)
    .where(and(eq(refunds.paymentId, paymentId), eq(refunds.status, 'open')));
  return row?.cents ?? 0;
}

/**
 * Refunds of a payment that are in progress or were interrupted.
 * @param mode of the configured provider
 */
export async function listOpenRefunds(db: Executor, paymentId: string, mode: PaymentMode): Promise<Refund[]> {
  return await db
    .select(getTableColumns(refunds))
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(and(eq(refunds.paymentId, paymentId), eq(refunds.status, 'open'), eq(payments.mode, mode)));
}

/** @returns false if it had ended already */
export async function endRefund(
  db: Executor,
  id: string,
  end: { status: 'done' | 'refused'; providerId?: string; problem?: string },
): Promise<boolean> {
  const ended = await db
    .update(refunds)
    .set({ ...end, finishedAt: sql`now()` })
    .where(and(eq(refunds.id, id), eq(refunds.status, 'open')))
    .returning({ id: refunds.id });
  return ended.length > 0;
}

export async function listRefundsOfPayments(db: Executor, paymentIds: readonly string[]): Promise<Refund[]> {
  if (paymentIds.length === 0) return [];
  return await db
    .select()
    .from(refunds)
    .where(inArray(refunds.paymentId, [...paymentIds]))
    .orderBy(asc(refunds.createdAt));
}

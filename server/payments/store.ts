import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orders, type PaymentMode, paymentProfiles, type payments } from '@/db/schema/payments';

export type Order = typeof orders.$inferSelect;
export type NewOrder = typeof orders.$inferInsert;
export type Payment = typeof payments.$inferSelect;
export type PaymentProfile = typeof paymentProfiles.$inferSelect;

export async function insertOrder(tx: Executor, order: NewOrder): Promise<void> {
  await tx.insert(orders).values(order);
}

export async function findOrder(db: Executor, id: string): Promise<Order | null> {
  const [row] = await db.select().from(orders).where(eq(orders.id, id));
  return row ?? null;
}

/** Locks an order; after its account, as everywhere. */
export async function lockOrder(tx: Executor, id: string): Promise<Order | null> {
  const [row] = await tx.select().from(orders).where(eq(orders.id, id)).for('no key update');
  return row ?? null;
}

export async function findProfile(
  db: Executor,
  accountId: string,
  mode: PaymentMode,
): Promise<PaymentProfile | null> {
  const [row] = await db
    .select()
    .from(paymentProfiles)
    .where(and(eq(paymentProfiles.accountId, accountId), eq(paymentProfiles.mode, mode)));
  return row ?? null;
}

/** The number of a look that begins now (docs/decisions/0014). */
export async function nextTicket(db: Executor): Promise<bigint> {
  const [row] = await db.execute<{ ticket: bigint }>(sql`select nextval('payment_tickets') as ticket`);
  return row?.ticket ?? 0n;
}

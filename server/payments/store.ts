import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { orders, type PaymentMode, paymentProfiles, payments } from '@/db/schema/payments';
import type { SavedCard } from '../ports/ports';

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

export async function lockPayment(tx: Executor, id: string): Promise<Payment | null> {
  const [row] = await tx.select().from(payments).where(eq(payments.id, id)).for('no key update');
  return row ?? null;
}

/** Writes what a payment came to; what was bought with it stays as it was first written. */
export async function upsertPayment(tx: Executor, row: typeof payments.$inferInsert): Promise<Payment> {
  const { id, orderId, accountId, mode, totalCents, creditsMicrousd, feeMicrousd, paidAt, ...state } = row;
  const [written] = await tx
    .insert(payments)
    .values(row)
    .onConflictDoUpdate({ target: payments.id, set: { ...state, updatedAt: sql`now()` } })
    .returning();
  if (!written) throw new Error('A payment was not written');
  return written;
}

/** Also where it had failed or expired: the money came after all. */
export async function markOrderPaid(tx: Executor, id: string, paymentId: string): Promise<void> {
  await tx
    .update(orders)
    .set({ status: 'paid', paymentId, failureCode: null, finishedAt: sql`now()` })
    .where(eq(orders.id, id));
}

/** @returns whether it was open */
export async function markOrderEnded(
  tx: Executor,
  id: string,
  end: { status: 'failed' | 'expired'; failureCode?: string },
): Promise<boolean> {
  const ended = await tx
    .update(orders)
    .set({ status: end.status, failureCode: end.failureCode ?? null, finishedAt: sql`now()` })
    .where(and(eq(orders.id, id), eq(orders.status, 'open')))
    .returning({ id: orders.id });
  return ended.length > 0;
}

/** Whether paid calls of an account wait, from whether any of its payments is disputed now. */
export async function markDispute(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update accounts a set disputed_at = case when open then coalesce(a.disputed_at, now()) end
    from (select exists (select 1 from payments p where p.account_id = ${accountId} and p.dispute_open) as open) d
    where a.id = ${accountId}`);
}

/** A reload was paid: the next decline is the first again. */
export async function clearReloadFailures(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update accounts set reload_failures = 0, reload_not_before_at = null where id = ${accountId}`);
}

/** Whose payment profile it is. */
export interface ProfileName {
  accountId: string;
  mode: PaymentMode;
  customerId: string;
}

/** Who an account is at the provider; the first one written stays. */
export async function insertProfile(db: Executor, name: ProfileName): Promise<void> {
  await db.insert(paymentProfiles).values(name).onConflictDoNothing();
}

/** The card that auto-reload charges; null: there is none any more. */
export async function writeCard(
  tx: Executor,
  { accountId, mode, customerId }: ProfileName,
  card: SavedCard | null,
): Promise<void> {
  const kept = {
    paymentMethodId: card?.paymentMethodId ?? null,
    cardBrand: card?.brand ?? null,
    cardLast4: card?.last4 ?? null,
    cardExpMonth: card?.expMonth ?? null,
    cardExpYear: card?.expYear ?? null,
  };
  await tx
    .update(paymentProfiles)
    .set({ ...kept, updatedAt: sql`now()` })
    .where(
      and(
        eq(paymentProfiles.accountId, accountId),
        eq(paymentProfiles.mode, mode),
        eq(paymentProfiles.customerId, customerId),
      ),
    );
}

/** Whose customer of the provider it is. */
export async function findProfileOfCustomer(
  db: Executor,
  mode: PaymentMode,
  customerId: string,
): Promise<PaymentProfile | null> {
  const [row] = await db
    .select()
    .from(paymentProfiles)
    .where(and(eq(paymentProfiles.mode, mode), eq(paymentProfiles.customerId, customerId)));
  return row ?? null;
}

export async function findOrderOfSession(db: Executor, sessionId: string): Promise<Order | null> {
  const [row] = await db.select().from(orders).where(eq(orders.sessionId, sessionId));
  return row ?? null;
}

export async function setSession(db: Executor, id: string, sessionId: string): Promise<void> {
  await db.update(orders).set({ sessionId }).where(eq(orders.id, id));
}

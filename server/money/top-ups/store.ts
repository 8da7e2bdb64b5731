import { and, eq, getTableColumns, gt, isNull, lte, or, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { orders, type PaymentMode, payments } from '@/db/schema/payments';

const late = sql<boolean>`coalesce(${orders.expiresAt} <= clock_timestamp(), true)`;
const secondsLate = sql<number>`coalesce(extract(epoch from clock_timestamp() - ${orders.expiresAt}), 'infinity')::float8`;
const columns = { ...getTableColumns(orders), late, secondsLate };
const isMachine = eq(orders.kind, 'machine');
const unleased = or(isNull(orders.leaseExpiresAt), lte(orders.leaseExpiresAt, sql`clock_timestamp()`));

/** An order of a machine, whether the time in which it can be paid is over, and for how long. */
export type Topup = typeof orders.$inferSelect & { late: boolean; secondsLate: number };

/** A top-up with what stands in the way of paying it. */
export interface TopupOfAccount {
  topup: Topup;
  closed: boolean;
  frozen: boolean;
  disputed: boolean;
}

export async function findTopup(db: Executor, id: string): Promise<TopupOfAccount | null> {
  const [row] = await db
    .select({
      topup: columns,
      closed: sql<boolean>`${accounts.closedAt} is not null`,
      frozen: sql<boolean>`${accounts.frozenAt} is not null`,
      disputed: sql<boolean>`${accounts.disputedAt} is not null`,
    })
    .from(orders)
    .innerJoin(accounts, eq(accounts.id, orders.accountId))
    .where(and(eq(orders.id, id), isMachine));
  return row ?? null;
}

/** Offers of one account are made one after the other, so that their number is exact. */
export async function lockOffers(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('machine top-up'), hashtext(${accountId}))`);
}

/** What an account was offered in the last hour and has not paid, and what the database's clock says of the next one. */
export async function countOffers(
  tx: Executor,
  accountId: string,
  lifetimeSeconds: number,
): Promise<{ unpaid: number; resetSeconds: number; expiresAt: Date }> {
  const [row] = await tx.execute<{ unpaid: number; reset: number | null; expires: number }>(sql`
    select count(*)::int as unpaid,
      ceil(extract(epoch from min(created_at) + interval '1 hour' - now()))::int as reset,
      floor(extract(epoch from clock_timestamp() + make_interval(secs => ${lifetimeSeconds}::int)) * 1000)::float8
        as expires
    from orders where account_id = ${accountId} and kind = 'machine' and status <> 'paid'
      and created_at > now() - interval '1 hour'`);
  if (!row) throw new Error('An aggregate gave no row');
  return { unpaid: row.unpaid, resetSeconds: row.reset ?? 0, expiresAt: new Date(row.expires) };
}

/** Who charges a top-up, by which of its challenges. */
export interface Claimant {
  id: string;
  challengeId: string;
  mode: PaymentMode;
  fence: string;
  leaseSeconds: number;
}

/**
 * Takes the right to charge a top-up; null where somebody has it, or it cannot be charged any more. The first challenge
 * that is used is the one of the order from then on. One that was tried before can be taken after its time too: it may
 * have been paid.
 */
export async function takeTopup(db: Executor, claimant: Claimant): Promise<Topup | null> {
  const { id, challengeId, mode, fence, leaseSeconds } = claimant;
  const first = and(isNull(orders.challengeId), gt(orders.expiresAt, sql`clock_timestamp()`));
  const again = and(eq(orders.challengeId, challengeId), eq(orders.mode, mode));
  const [row] = await db
    .update(orders)
    .set({
      challengeId,
      mode,
      fence,
      attempts: sql`${orders.attempts} + 1`,
      leaseExpiresAt: sql`clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)`,
    })
    .where(and(eq(orders.id, id), isMachine, eq(orders.status, 'open'), unleased, or(first, again)))
    .returning(columns);
  return row ?? null;
}

/**
 * Asked right before a charge: false for a process that stood still for longer than its lease, or than the top-up can be
 * paid. Another one may have ended it, and its payer may have been asked to pay once more.
 */
export async function renewTopup(
  db: Executor,
  { id, fence }: Pick<Topup, 'id' | 'fence'>,
  leaseSeconds: number,
): Promise<boolean> {
  const renewed = await db
    .update(orders)
    .set({ leaseExpiresAt: sql`clock_timestamp() + make_interval(secs => ${leaseSeconds}::int)` })
    .where(
      and(
        eq(orders.id, id),
        eq(orders.status, 'open'),
        eq(orders.fence, fence ?? ''),
        gt(orders.leaseExpiresAt, sql`clock_timestamp()`),
        gt(orders.expiresAt, sql`clock_timestamp()`),
      ),
    )
    .returning({ id: orders.id });
  return renewed.length > 0;
}

/** Ends a top-up without payment; nothing where it was paid meanwhile, or is another's now. */
export async function endTopup(
  db: Executor,
  { id, fence }: Pick<Topup, 'id' | 'fence'>,
  end: { status: 'failed' | 'expired'; failureCode: string | null },
): Promise<void> {
  await db
    .update(orders)
    .set({ ...end, finishedAt: sql`now()` })
    .where(and(eq(orders.id, id), eq(orders.status, 'open'), eq(orders.fence, fence ?? '')));
}

/** Lets go of a top-up, and wakes those who wait for it. */
export async function releaseTopup(
  db: Executor,
  { id, fence }: Pick<Topup, 'id' | 'fence'>,
  topic: string,
): Promise<void> {
  await db
    .update(orders)
    .set({ leaseExpiresAt: null })
    .where(and(eq(orders.id, id), eq(orders.fence, fence ?? '')));
  await db.execute(sql`select pg_notify('gateway', ${topic})`);
}

/** Top-ups whose charge was begun, and of which nobody has heard since. */
export async function listInterrupted(db: Executor, limit: number): Promise<Topup[]> {
  return await db
    .select(columns)
    .from(orders)
    .where(and(isMachine, eq(orders.status, 'open'), gt(orders.attempts, 0), unleased))
    .orderBy(orders.createdAt)
    .limit(limit);
}

/** The payment that a top-up was paid with. */
export async function findPaymentOf(
  db: Executor,
  orderId: string,
): Promise<{ id: string; paidAt: Date } | null> {
  const [row] = await db
    .select({ id: payments.id, paidAt: payments.paidAt })
    .from(payments)
    .where(eq(payments.orderId, orderId));
  return row ?? null;
}

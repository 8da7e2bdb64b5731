import { and, eq, getTableColumns, gt, isNull, lte, or, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, float, integer } from '@/db/rows';
import { accounts } from '@/db/schema/accounts';
import { orders, type PaymentMode, payments } from '@/db/schema/payments';

const late = sql<boolean>`coalesce(${orders.expiresAt} <= clock_timestamp(), true)`;
const secondsLate = sql<number>`coalesce(extract(epoch from clock_timestamp() - ${orders.expiresAt}), 'infinity')::float8`;
const secondsFinished = sql<number>`coalesce(extract(epoch from clock_timestamp() - ${orders.finishedAt}), 0)::float8`;
const columns = { ...getTableColumns(orders), late, secondsLate, secondsFinished };
const isMachine = eq(orders.kind, 'machine');
const unleased = or(isNull(orders.leaseExpiresAt), lte(orders.leaseExpiresAt, sql`clock_timestamp()`));

/** An order for a top-up, whether its time to pay is over, and since when it is so or has ended. */
export type Topup = typeof orders.$inferSelect & {
  late: boolean;
  secondsLate: number;
  secondsFinished: number;
};

/** A top-up with the states of its account that prevent payment. */
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

/** Serialises the offers of one account, so that their count is exact. */
export async function lockOffers(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('machine top-up'), hashtext(${accountId}))`);
}

const offersRow = defineRow({ unpaid: integer(), reset: integer().nullable(), expires: float() });

/**
 * Unpaid offers of an account in the last hour, and the expiry of the next one by the database's
 * clock.
 */
export async function countOffers(
  tx: Executor,
  accountId: string,
  lifetimeSeconds: number,
): Promise<{ unpaid: number; resetSeconds: number; expiresAt: Date }> {
  const [row] = await offersRow.read(
    tx.execute(sql`
      select count(*)::int as unpaid,
        ceil(extract(epoch from min(created_at) + interval '1 hour' - now()))::int as reset,
        floor(extract(epoch from clock_timestamp() + make_interval(secs => ${lifetimeSeconds}::int)) * 1000)::float8
          as expires
      from orders where account_id = ${accountId} and kind = 'machine' and status <> 'paid'
        and created_at > now() - interval '1 hour'`),
  );
  if (!row) throw new Error('The aggregate returned no row');
  return { unpaid: row.unpaid, resetSeconds: row.reset ?? 0, expiresAt: new Date(row.expires) };
}

/** Whether an error says that the challenge or authorization was used for another order. */
export function isUsedElsewhere(error: unknown): boolean {
  const found = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return (
    typeof found === 'object' &&
    found !== null &&
    'constraint_name' in found &&
    found.constraint_name === 'orders_challenge_unique'
  );
}

/** The request to lease a top-up, with the challenge that is used. */
export interface TopupLease {
  id: string;
  challengeId: string;
  mode: PaymentMode;
  fence: string;
  leaseSeconds: number;
}

/**
 * Leases a top-up; null if another process holds it or it can no longer be charged. The first
 * challenge used binds the order. A top-up with an earlier attempt can be leased after its expiry
 * too, because it may have been paid.
 */
export async function leaseTopup(db: Executor, claimant: TopupLease): Promise<Topup | null> {
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
 * Renews the lease right before a charge. False if a process stalled for longer than its lease or
 * the top-up's lifetime: another process may have ended it and asked the payer to pay again.
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

/** Stores what settles an order again, before it is settled the first time. */
export async function sealPayment(
  db: Executor,
  { id, fence }: Pick<Topup, 'id' | 'fence'>,
  sealed: string,
): Promise<boolean> {
  const stored = await db
    .update(orders)
    .set({ sealedPayment: sealed })
    .where(and(eq(orders.id, id), eq(orders.status, 'open'), eq(orders.fence, fence ?? '')))
    .returning({ id: orders.id });
  return stored.length > 0;
}

/** Ends a top-up without payment; false if it was paid or another process holds it. */
export async function endTopup(
  db: Executor,
  { id, fence }: Pick<Topup, 'id' | 'fence'>,
  end: { status: 'failed' | 'expired'; failureCode: string | null },
): Promise<boolean> {
  const ended = await db
    .update(orders)
    .set({ ...end, finishedAt: sql`now()` })
    .where(and(eq(orders.id, id), eq(orders.status, 'open'), eq(orders.fence, fence ?? '')))
    .returning({ id: orders.id });
  return ended.length > 0;
}

/** Releases the lease of a top-up and notifies waiting requests. */
export async function releaseTopup(
  db: Executor,
  { id, fence }: Pick<Topup, 'id' | 'fence'>,
  topic: string,
): Promise<void> {
  await db
    .update(orders)
    .set({
      leaseExpiresAt: null,
      sealedPayment: sql`case when ${orders.status} = 'open' then ${orders.sealedPayment} end`,
    })
    .where(and(eq(orders.id, id), eq(orders.fence, fence ?? '')));
  await db.execute(sql`select pg_notify('gateway', ${topic})`);
}

/** Open top-ups with a started charge and no live lease. */
export async function listInterrupted(db: Executor, limit: number): Promise<Topup[]> {
  return await db
    .select(columns)
    .from(orders)
    .where(and(isMachine, eq(orders.status, 'open'), gt(orders.attempts, 0), unleased))
    .orderBy(orders.createdAt)
    .limit(limit);
}

/** The payment of a top-up. */
export async function findPaymentByOrder(
  db: Executor,
  orderId: string,
): Promise<{ id: string; paidAt: Date; paidWith: string | null } | null> {
  const [row] = await db
    .select({ id: payments.id, paidAt: payments.paidAt, paidWith: payments.paidWith })
    .from(payments)
    .where(eq(payments.orderId, orderId));
  return row ?? null;
}

/** Sealed payments under another vault key than this one, in id order. */
export async function listSealedPayments(
  db: Executor,
  vaultKeyId: string,
  afterId: string,
  limit: number,
): Promise<{ id: string; sealed: string }[]> {
  return await db
    .select({ id: orders.id, sealed: sql<string>`${orders.sealedPayment}` })
    .from(orders)
    .where(
      and(
        isMachine,
        eq(orders.status, 'open'),
        gt(orders.id, afterId),
        sql`split_part(${orders.sealedPayment}, '.', 2) <> ${vaultKeyId}`,
      ),
    )
    .orderBy(orders.id)
    .limit(limit);
}

/** @returns false if the payment has ended */
export async function replaceSealedPayment(
  db: Executor,
  { id, sealed }: { id: string; sealed: string },
  next: string,
): Promise<boolean> {
  const replaced = await db
    .update(orders)
    .set({ sealedPayment: next })
    .where(and(eq(orders.id, id), eq(orders.sealedPayment, sealed)))
    .returning({ id: orders.id });
  return replaced.length > 0;
}

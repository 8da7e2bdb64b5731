import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, boolean, defineRow, float, integer, type RowOf, text } from '@/db/rows';
import type { ReloadCap } from '@/db/schema/accounts';
import { accounts } from '@/db/schema/accounts';
import { type PaymentMode, paymentProfiles } from '@/db/schema/payments';
import { DAY_SECONDS, type RecentCharge, type ReloadAccount } from './reload';

/** An open reload order that this process holds a lease on. */
const leasedReloadRow = defineRow({
  id: text(),
  account_id: text(),
  mode: text<PaymentMode>(),
  customer_id: text(),
  payment_method_id: text(),
  total_cents: integer(),
  credits: bigint(),
  /** The provider's payment, once it has reported one. */
  payment_id: text().nullable(),
  attempts: integer(),
  fence: text(),
  /** Since the epoch, by the database's clock. */
  created_ms: float(),
  /** No longer needed; its lease has waited for charges in flight. */
  is_leaving: boolean(),
  /** Young enough that the provider still replays the response to a repeated request. */
  is_young: boolean(),
});
export type LeasedReload = RowOf<typeof leasedReloadRow>;

/** The saved card of an account and its customer at the provider. */
interface ChargeableCard {
  customerId: string;
  paymentMethodId: string;
}

const NOT_NEEDED = 'not_needed';
/** Stripe stores idempotent responses for at least 24 hours. */
const YOUNG_HOURS = 23;

const idRow = defineRow({ id: text() });

/** Accounts below their threshold that may be charged now, in the order of their requests. */
export async function listWanted(db: Executor, limit: number): Promise<string[]> {
  const rows = await idRow.read(
    db.execute(sql`
      select id from accounts
      where reload_wanted_at is not null and (reload_not_before_at is null or reload_not_before_at <= now())
      order by reload_wanted_at limit ${limit}`),
  );
  return rows.map(({ id }) => id);
}

/**
 * Clears an account's reload request. Returns false and changes nothing while a decline or cap
 * delays it.
 */
export async function clearReloadRequest(tx: Executor, accountId: string): Promise<boolean> {
  const taken = await tx.execute(sql`
    update accounts set reload_wanted_at = null
    where id = ${accountId} and (reload_not_before_at is null or reload_not_before_at <= now()) returning id`);
  return taken.length > 0;
}

/** Fails open reloads of other modes: after a change of mode, no provider can charge them. */
export async function endReloadsOfOtherModes(
  tx: Executor,
  accountId: string,
  mode: PaymentMode,
): Promise<void> {
  await tx.execute(sql`
    update orders set status = 'failed', failure_code = 'mode_changed', finished_at = now()
    where kind = 'reload' and status = 'open' and account_id = ${accountId} and mode <> ${mode}`);
}

export async function hasOpenReload(tx: Executor, accountId: string): Promise<boolean> {
  const open = await tx.execute(sql`
    select 1 from orders where kind = 'reload' and status = 'open' and account_id = ${accountId}`);
  return open.length > 0;
}

const chargeRow = defineRow({ credits: bigint(), age: float() });

/** Charges of the last day: paid ones, and the open one, which may be charged at any moment. */
export async function listRecentCharges(tx: Executor, accountId: string): Promise<RecentCharge[]> {
  const rows = await chargeRow.read(
    tx.execute(sql`
      select credits_microusd as credits, coalesce(extract(epoch from now() - finished_at), 0)::float8 as age
      from orders where account_id = ${accountId} and kind = 'reload' and status in ('open', 'paid')
        and (finished_at is null or finished_at > now() - make_interval(secs => ${DAY_SECONDS}::int))`),
  );
  return rows.map(({ credits, age }) => ({ credits, ageSeconds: age }));
}

/** Switches auto-recharge off because a cap was reached. The account must be locked. */
export async function stopAtCap(tx: Executor, accountId: string, cap: ReloadCap): Promise<void> {
  await tx.execute(sql`
    update accounts set auto_reload_enabled = false, reload_wanted_at = null, reload_stopped_at = now(),
      reload_stopped_reason = ${cap}
    where id = ${accountId}`);
}

/** Delays the next charge by this many seconds. */
export async function delayReload(tx: Executor, accountId: string, seconds: number): Promise<void> {
  await tx.execute(sql`
    update accounts set reload_not_before_at = now() + make_interval(secs => ${seconds}::float8)
    where id = ${accountId}`);
}

/**
 * The parts of an account that a reload depends on, with its saved card; null if it does not exist.
 */
export async function findReloadAccount(
  db: Executor,
  accountId: string,
  mode: PaymentMode,
): Promise<{
  account: ReloadAccount & { reloadAmountMicrousd: bigint; reloadDailyLimitMicrousd: bigint };
  card: ChargeableCard | null;
} | null> {
  const [row] = await db
    .select({ account: accounts, profile: paymentProfiles })
    .from(accounts)
    .leftJoin(
      paymentProfiles,
      and(eq(paymentProfiles.accountId, accounts.id), eq(paymentProfiles.mode, mode)),
    )
    .where(eq(accounts.id, accountId));
  if (!row) return null;
  const { customerId, paymentMethodId } = row.profile ?? {};
  return {
    account: row.account,
    card: customerId && paymentMethodId ? { customerId, paymentMethodId } : null,
  };
}

/** Open reloads without a live lease. */
export async function listChargeable(db: Executor, mode: PaymentMode, limit: number): Promise<string[]> {
  const rows = await idRow.read(
    db.execute(sql`
      select id from orders
      where kind = 'reload' and status = 'open' and mode = ${mode}
        and (lease_expires_at is null or lease_expires_at < now())
      order by created_at limit ${limit}`),
  );
  return rows.map(({ id }) => id);
}

/** Leases an open reload; null if another process holds it. */
export async function leaseReload(
  db: Executor,
  id: string,
  { fence, leaseSeconds, mode }: { fence: string; leaseSeconds: number; mode: PaymentMode },
): Promise<LeasedReload | null> {
  const [row] = await leasedReloadRow.read(
    db.execute(sql`
      update orders set fence = ${fence}, attempts = attempts + 1,
        lease_expires_at = now() + make_interval(secs => ${leaseSeconds}::int)
      where id = (
        select id from orders
        where id = ${id} and kind = 'reload' and status = 'open' and mode = ${mode}
          and (lease_expires_at is null or lease_expires_at < now())
        for update skip locked)
      returning id, account_id, mode, customer_id, payment_method_id, total_cents, credits_microusd as credits, payment_id,
        attempts, fence, (extract(epoch from created_at) * 1000)::float8 as created_ms,
        failure_code is not distinct from ${NOT_NEEDED} as is_leaving,
        created_at > now() - make_interval(hours => ${YOUNG_HOURS}::int) as is_young`),
  );
  return row ?? null;
}

type ReloadLease = Pick<LeasedReload, 'id' | 'fence'>;

/** The order is open and its fence is the caller's. */
const isHeldLease = ({ id, fence }: ReloadLease) => sql`id = ${id} and fence = ${fence} and status = 'open'`;

/**
 * Renews the lease before a charge. False if a process stalled for longer than its lease and may
 * have lost the order.
 */
export async function renewReload(db: Executor, order: ReloadLease, leaseSeconds: number): Promise<boolean> {
  const renewed = await db.execute(sql`
    update orders set lease_expires_at = now() + make_interval(secs => ${leaseSeconds}::int)
    where ${isHeldLease(order)} and lease_expires_at > now() returning id`);
  return renewed.length > 0;
}

/** Records the provider's payment: from now on the order is not charged again. */
export async function recordPayment(db: Executor, order: ReloadLease, paymentId: string): Promise<void> {
  await db.execute(sql`update orders set payment_id = ${paymentId} where ${isHeldLease(order)}`);
}

/** Delays the next attempt by letting the lease run for this many seconds. */
export async function postponeReload(db: Executor, order: ReloadLease, seconds: number): Promise<void> {
  await db.execute(sql`
    update orders set lease_expires_at = now() + make_interval(secs => ${seconds}::int) where ${isHeldLease(order)}`);
}

/** Marks an order as no longer needed, to be cancelled after this many seconds. */
export async function scheduleCancellation(db: Executor, order: ReloadLease, seconds: number): Promise<void> {
  await db.execute(sql`
    update orders set failure_code = ${NOT_NEEDED}, lease_expires_at = now() + make_interval(secs => ${seconds}::int)
    where ${isHeldLease(order)}`);
}

/**
 * Ends an order. Its account must be locked.
 * @returns false if the order had ended or another process holds it
 */
export async function endReload(
  tx: Executor,
  order: ReloadLease,
  { status, code }: { status: 'failed' | 'expired'; code: string },
): Promise<boolean> {
  const ended = await tx.execute(sql`
    update orders set status = ${status}, failure_code = ${code}, finished_at = now(), lease_expires_at = null
    where ${isHeldLease(order)} returning id`);
  return ended.length > 0;
}

/** Requests a new decision on whether to charge the account. */
export async function requestReload(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update accounts set reload_wanted_at = coalesce(reload_wanted_at, now()) where id = ${accountId}`);
}

const stoppedRow = defineRow({ stopped: boolean() });

/**
 * Counts a decline and schedules the next attempt, because an account without credit settles no
 * call that would request one. The last decline in a row switches auto-recharge off.
 * @returns whether auto-recharge was switched off
 */
export async function countDecline(
  tx: Executor,
  accountId: string,
  { retryMinutes, maxDeclines }: { retryMinutes: number; maxDeclines: number },
): Promise<boolean> {
  const isLast = sql`reload_failures + 1 >= ${maxDeclines}`;
  const [row] = await stoppedRow.read(
    tx.execute(sql`
      update accounts set
        reload_failures = reload_failures + 1,
        auto_reload_enabled = auto_reload_enabled and not (${isLast}),
        reload_stopped_at = case when ${isLast} then now() end,
        reload_stopped_reason = case when ${isLast} then 'declined' end,
        reload_not_before_at = case when not (${isLast}) then now() + make_interval(mins => ${retryMinutes}::int) end,
        reload_wanted_at = case when not (${isLast}) then coalesce(reload_wanted_at, now()) end
      where id = ${accountId} returning reload_stopped_at is not null as stopped`),
  );
  return row?.stopped ?? false;
}

/** Clears the declines of an account, and the reason why auto-recharge was stopped. */
export async function clearDeclines(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update accounts set reload_failures = 0, reload_not_before_at = null, reload_stopped_at = null,
      reload_stopped_reason = null
    where id = ${accountId}`);
}

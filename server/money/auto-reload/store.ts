import { and, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { ReloadCap } from '@/db/schema/accounts';
import { accounts } from '@/db/schema/accounts';
import { type PaymentMode, paymentProfiles } from '@/db/schema/payments';
import { DAY_SECONDS, type RecentCharge, type ReloadAccount } from './reload';

/** An order of a reload that this process may work on: nobody else does while its lease lives. */
export interface TakenReload extends Record<string, unknown> {
  id: string;
  account_id: string;
  mode: PaymentMode;
  customer_id: string;
  payment_method_id: string;
  total_cents: number;
  credits: bigint;
  /** The provider's payment, where it has told of one. */
  payment_id: string | null;
  attempts: number;
  fence: string;
  /** Since the epoch, by the database's clock. */
  created_ms: number;
  /** It was found to be needed no more, and has waited for charges that were on their way. */
  is_leaving: boolean;
  /** So young that the provider still answers a repeated request as it did the first time. */
  is_young: boolean;
}

/** The saved card of an account, and whose it is there. */
interface ChargeableCard {
  customerId: string;
  paymentMethodId: string;
}

const LEAVING = 'not_needed';
/** Stripe remembers its answers for at least 24 hours. */
const YOUNG_HOURS = 23;

/** Accounts that a call left under their threshold and that may be charged now, longest first. */
export async function listWanted(db: Executor, limit: number): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select id from accounts
    where reload_wanted_at is not null and (reload_not_before_at is null or reload_not_before_at <= now())
    order by reload_wanted_at limit ${limit}`);
  return rows.map(({ id }) => id);
}

/**
 * Takes back what a call has asked for. False, and nothing taken back, where a decline makes it
 * wait.
 */
export async function takeBackWanted(tx: Executor, accountId: string): Promise<boolean> {
  const taken = await tx.execute(sql`
    update accounts set reload_wanted_at = null
    where id = ${accountId} and (reload_not_before_at is null or reload_not_before_at <= now()) returning id`);
  return taken.length > 0;
}

/**
 * Ends reloads that were to be charged elsewhere: after a change of mode nobody can ask for them
 * any more.
 */
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

/**
 * The charges of the last day: those that were paid, and the open one, which may be charged any
 * moment.
 */
export async function listRecentCharges(tx: Executor, accountId: string): Promise<RecentCharge[]> {
  const rows = await tx.execute<{ credits: bigint; age: number }>(sql`
    select credits_microusd as credits, coalesce(extract(epoch from now() - finished_at), 0)::float8 as age
    from orders where account_id = ${accountId} and kind = 'reload' and status in ('open', 'paid')
      and (finished_at is null or finished_at > now() - make_interval(secs => ${DAY_SECONDS}::int))`);
  return rows.map(({ credits, age }) => ({ credits, ageSeconds: age }));
}

/** Switches auto-reload off because it has reached a cap. The account is locked. */
export async function stopAtCap(tx: Executor, accountId: string, cap: ReloadCap): Promise<void> {
  await tx.execute(sql`
    update accounts set auto_reload_enabled = false, reload_wanted_at = null, reload_stopped_at = now(),
      reload_stopped_reason = ${cap}
    where id = ${accountId}`);
}

/** The next charge waits for so long. */
export async function delayReload(tx: Executor, accountId: string, seconds: number): Promise<void> {
  await tx.execute(sql`
    update accounts set reload_not_before_at = now() + make_interval(secs => ${seconds}::float8)
    where id = ${accountId}`);
}

/**
 * An account as far as a reload depends on it, with its saved card; null where there is no such
 * account.
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

/** Open reloads on which nobody works, and that are not to wait. */
export async function listChargeable(db: Executor, mode: PaymentMode, limit: number): Promise<string[]> {
  const rows = await db.execute<{ id: string }>(sql`
    select id from orders
    where kind = 'reload' and status = 'open' and mode = ${mode}
      and (lease_expires_at is null or lease_expires_at < now())
    order by created_at limit ${limit}`);
  return rows.map(({ id }) => id);
}

/** Takes one of them; null where another process was faster. */
export async function takeReload(
  db: Executor,
  id: string,
  { fence, leaseSeconds, mode }: { fence: string; leaseSeconds: number; mode: PaymentMode },
): Promise<TakenReload | null> {
  const [row] = await db.execute<TakenReload>(sql`
    update orders set fence = ${fence}, attempts = attempts + 1,
      lease_expires_at = now() + make_interval(secs => ${leaseSeconds}::int)
    where id = (
      select id from orders
      where id = ${id} and kind = 'reload' and status = 'open' and mode = ${mode}
        and (lease_expires_at is null or lease_expires_at < now())
      for update skip locked)
    returning id, account_id, mode, customer_id, payment_method_id, total_cents, credits_microusd as credits, payment_id,
      attempts, fence, (extract(epoch from created_at) * 1000)::float8 as created_ms,
      failure_code is not distinct from ${LEAVING} as is_leaving,
      created_at > now() - make_interval(hours => ${YOUNG_HOURS}::int) as is_young`);
  return row ?? null;
}

type Taken = Pick<TakenReload, 'id' | 'fence'>;

/** Still open, and still worked on by whoever holds this fence. */
const isOurs = ({ id, fence }: Taken) => sql`id = ${id} and fence = ${fence} and status = 'open'`;

/**
 * Before it is charged: a process that stood still for longer than its lease finds here that the
 * order is not its own.
 */
export async function renewReload(db: Executor, order: Taken, leaseSeconds: number): Promise<boolean> {
  const renewed = await db.execute(sql`
    update orders set lease_expires_at = now() + make_interval(secs => ${leaseSeconds}::int)
    where ${isOurs(order)} and lease_expires_at > now() returning id`);
  return renewed.length > 0;
}

/** From now on the order is not charged again: this payment becomes of it what it becomes. */
export async function notePayment(db: Executor, order: Taken, paymentId: string): Promise<void> {
  await db.execute(sql`update orders set payment_id = ${paymentId} where ${isOurs(order)}`);
}

/** Lets go of an order, for whoever looks after this time. */
export async function postponeReload(db: Executor, order: Taken, seconds: number): Promise<void> {
  await db.execute(sql`
    update orders set lease_expires_at = now() + make_interval(secs => ${seconds}::int) where ${isOurs(order)}`);
}

/** Lets go of an order that is not needed any more, and is to be dropped after this time. */
export async function leaveReload(db: Executor, order: Taken, seconds: number): Promise<void> {
  await db.execute(sql`
    update orders set failure_code = ${LEAVING}, lease_expires_at = now() + make_interval(secs => ${seconds}::int)
    where ${isOurs(order)}`);
}

/** Its account is locked. @returns whether it was still open and ours */
export async function endReload(
  tx: Executor,
  order: Taken,
  { status, code }: { status: 'failed' | 'expired'; code: string },
): Promise<boolean> {
  const ended = await tx.execute(sql`
    update orders set status = ${status}, failure_code = ${code}, finished_at = now(), lease_expires_at = null
    where ${isOurs(order)} returning id`);
  return ended.length > 0;
}

/** Has it looked at again whether the account is to be charged. */
export async function wantAgain(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update accounts set reload_wanted_at = coalesce(reload_wanted_at, now()) where id = ${accountId}`);
}

/**
 * Counts a decline: the card is tried again after a while, also when no call can settle any more
 * because nothing is left; the last one in a row switches auto-reload off.
 * @returns whether it is off now because of it
 */
export async function countDecline(
  tx: Executor,
  accountId: string,
  { retryMinutes, maxDeclines }: { retryMinutes: number; maxDeclines: number },
): Promise<boolean> {
  const isLast = sql`reload_failures + 1 >= ${maxDeclines}`;
  const [row] = await tx.execute<{ stopped: boolean }>(sql`
    update accounts set
      reload_failures = reload_failures + 1,
      auto_reload_enabled = auto_reload_enabled and not (${isLast}),
      reload_stopped_at = case when ${isLast} then now() end,
      reload_stopped_reason = case when ${isLast} then 'declined' end,
      reload_not_before_at = case when not (${isLast}) then now() + make_interval(mins => ${retryMinutes}::int) end,
      reload_wanted_at = case when not (${isLast}) then coalesce(reload_wanted_at, now()) end
    where id = ${accountId} returning reload_stopped_at is not null as stopped`);
  return row?.stopped ?? false;
}

/** Forgets the declines of an account, and that it was stopped. */
export async function clearDeclines(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update accounts set reload_failures = 0, reload_not_before_at = null, reload_stopped_at = null,
      reload_stopped_reason = null
    where id = ${accountId}`);
}

import { eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { bigint, defineRow } from '@/db/rows';
import { accounts } from '@/db/schema/accounts';
import { ledgerEntries } from '@/db/schema/ledger';
import type { Microusd } from '../../kit/money';

/**
 * Locks accounts against every other movement, in id order. Call it after locking keys and before
 * changing balances: admit_calls and end_calls use the same order, which prevents deadlocks.
 */
export async function lockAccounts(tx: Executor, ids: readonly string[]) {
  return await tx
    .select()
    .from(accounts)
    .where(sql`${accounts.id} = any(${sql.param([...ids])}::text[])`)
    .orderBy(accounts.id)
    .for('no key update');
}

/**
 * Grants an account credit without a payment.
 * @param ref identifies the cause; the same ref grants only once
 * @returns whether this call granted it
 */
export async function grantCredit(
  tx: Executor,
  grant: { accountId: string; amount: Microusd; ref: string; memo: string; createdAt?: Date },
): Promise<boolean> {
  const entered = await tx
    .insert(ledgerEntries)
    .values({
      kind: 'grant',
      ref: grant.ref,
      accountId: grant.accountId,
      counterAccount: 'grants',
      amountMicrousd: grant.amount,
      memo: grant.memo,
      createdAt: grant.createdAt,
    })
    .onConflictDoNothing()
    .returning({ id: ledgerEntries.id });
  if (entered.length === 0) return false;
  await moveBalance(tx, grant.accountId, grant.amount);
  return true;
}

const enteredRow = defineRow({ total: bigint(), this_month: bigint() });

/**
 * Enters the charges of keys' usage records, as their calls would have, for generated records
 * (usage/seed-usage). The account must be locked and have the credit.
 * @returns the total, in micro-dollars
 */
export async function enterRecordedCalls(
  tx: Executor,
  accountId: string,
  keyIds: readonly string[],
): Promise<Microusd> {
  const [row] = await enteredRow.read(
    tx.execute(sql`
      with entered as (
        insert into ledger_entries (kind, ref, account_id, counter_account, amount_microusd, created_at)
        select 'call', id, account_id, 'revenue', -(raw_cost_microusd + markup_microusd), finished_at
        from usage_records
        where account_id = ${accountId} and key_id = any(${sql.param([...keyIds])}::text[])
          and raw_cost_microusd + markup_microusd > 0
        order by finished_at, id
        returning amount_microusd, created_at
      )
      select coalesce(-sum(amount_microusd), 0)::bigint as total,
        coalesce(-sum(amount_microusd) filter (where created_at >= date_trunc('month', now(), 'UTC')), 0)::bigint as this_month
      from entered`),
  );
  const { total, this_month: thisMonth } = row ?? { total: 0n, this_month: 0n };
  await moveBalance(tx, accountId, -total);
  await tx.execute(sql`
    update accounts set
      month_spent_microusd = ${thisMonth}::bigint + case
        when month_start = (date_trunc('month', now(), 'UTC') at time zone 'UTC')::date then month_spent_microusd else 0 end,
      month_start = (date_trunc('month', now(), 'UTC') at time zone 'UTC')::date
    where id = ${accountId}`);
  return total;
}

/** One movement of a payment: credit given, taken back by a refund or dispute, or restored. */
export interface PaymentEntry {
  kind: 'purchase' | 'refund' | 'dispute';
  /** `pi_…:3`: the payment and the number of its entry. */
  ref: string;
  accountId: string;
  /** Signed; positive is credit for the account. */
  amount: Microusd;
  memo: string;
}

/** Enters movements of a payment into the ledger, in this order. The account must be locked. */
export async function enterPayment(tx: Executor, entries: readonly PaymentEntry[]): Promise<void> {
  for (const { kind, ref, accountId, amount, memo } of entries) {
    await tx
      .insert(ledgerEntries)
      .values({ kind, ref, accountId, counterAccount: 'payments', amountMicrousd: amount, memo });
    await moveBalance(tx, accountId, amount);
  }
}

/**
 * An account's entries add up to its balance minus its debt. Taking more than its free credit
 * creates a debt, which the next credit pays first; held credit stays reserved for its calls.
 */
async function moveBalance(tx: Executor, accountId: string, amount: Microusd): Promise<void> {
  const { balanceMicrousd: balance, heldMicrousd: held, debtMicrousd: debt } = accounts;
  const free = sql`(${balance} - ${held} - ${debt} + ${amount}::bigint)`;
  await tx
    .update(accounts)
    .set({
      balanceMicrousd: sql`${held} + greatest(${free}, 0)`,
      debtMicrousd: sql`greatest(-${free}, 0)`,
    })
    .where(eq(accounts.id, accountId));
}

/**
 * Enables the low balance alert of an account above the bound: falling below it emails the owner
 * once.
 */
export async function enableLowBalanceAlert(tx: Executor, accountId: string, bound: Microusd): Promise<void> {
  if (bound === 0n) return;
  await tx.execute(sql`
    update accounts set warn_below_microusd = ${bound}
    where id = ${accountId} and warn_below_microusd is distinct from ${bound}
      and balance_microusd - held_microusd - debt_microusd >= ${bound}`);
}

/**
 * Moves the balance, holds and debt of a claimed account to the account that claimed it. Both must
 * be locked.
 * @returns the credit moved, in micro-dollars
 */
export async function transferClaimed(
  tx: Executor,
  from: { id: string; balanceMicrousd: Microusd; heldMicrousd: Microusd; debtMicrousd: Microusd },
  toId: string,
): Promise<Microusd> {
  const { id: fromId, balanceMicrousd: balance, heldMicrousd: held, debtMicrousd: debt } = from;
  const net = balance - debt;
  if (net !== 0n) {
    const entry = { ref: fromId, counterAccount: 'transfers' as const, memo: 'Claimed account' };
    await tx.insert(ledgerEntries).values([
      { ...entry, kind: 'claim_out', accountId: fromId, amountMicrousd: -net },
      { ...entry, kind: 'claim_in', accountId: toId, amountMicrousd: net },
    ]);
  }
  if (balance === 0n && debt === 0n) return 0n;
  await tx
    .update(accounts)
    .set({ balanceMicrousd: 0n, heldMicrousd: 0n, debtMicrousd: 0n })
    .where(eq(accounts.id, fromId));
  await tx
    .update(accounts)
    .set({
      balanceMicrousd: sql`${accounts.balanceMicrousd} + ${held}::bigint`,
      heldMicrousd: sql`${accounts.heldMicrousd} + ${held}::bigint`,
    })
    .where(eq(accounts.id, toId));
  await moveBalance(tx, toId, net - held);
  return net;
}

import { eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { ledgerEntries } from '@/db/schema/ledger';
import type { Microusd } from './money';

/**
 * Locks accounts against every other movement, in id order; call it after locking keys, before touching balances.
 * The same order as open_calls and close_calls, so that nothing waits in a circle.
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
 * Gives an account credit that nobody paid for.
 * @param ref what caused it; the same ref twice grants once
 * @returns whether this call granted it
 */
export async function grantCredit(
  tx: Executor,
  grant: { accountId: string; amount: Microusd; ref: string; memo: string },
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
    })
    .onConflictDoNothing()
    .returning({ id: ledgerEntries.id });
  if (entered.length === 0) return false;
  await tx
    .update(accounts)
    .set({ balanceMicrousd: sql`${accounts.balanceMicrousd} + ${grant.amount}` })
    .where(eq(accounts.id, grant.accountId));
  return true;
}

/**
 * Moves all that a claimed account has, holds and debt too, to the account that claimed it. Both are locked.
 * @returns the credit moved, in micro-dollars
 */
export async function transferClaimed(
  tx: Executor,
  from: { id: string; balanceMicrousd: Microusd; heldMicrousd: Microusd; debtMicrousd: Microusd },
  toId: string,
): Promise<Microusd> {
  const { id: fromId, balanceMicrousd: balance, heldMicrousd: held, debtMicrousd: debt } = from;
  if (balance > 0n) {
    const entry = { ref: fromId, counterAccount: 'transfers' as const, memo: 'Claimed account' };
    await tx.insert(ledgerEntries).values([
      { ...entry, kind: 'claim_out', accountId: fromId, amountMicrousd: -balance },
      { ...entry, kind: 'claim_in', accountId: toId, amountMicrousd: balance },
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
      balanceMicrousd: sql`${accounts.balanceMicrousd} + ${balance}`,
      heldMicrousd: sql`${accounts.heldMicrousd} + ${held}`,
      debtMicrousd: sql`${accounts.debtMicrousd} + ${debt}`,
    })
    .where(eq(accounts.id, toId));
  return balance;
}

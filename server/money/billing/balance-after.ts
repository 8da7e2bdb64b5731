import type { Runtime } from '../../core/runtime';
import type { Microusd } from '../../kit/money';
import { findBalanceAfter } from './store';

/**
 * The balance that a purchase left, credit less debt, as the statement shows it: the same whenever it is asked.
 * @param ref of its ledger entry
 */
export async function balanceAfter(runtime: Runtime, ref: string): Promise<Microusd> {
  const balance = await findBalanceAfter(runtime.db, 'purchase', ref);
  if (balance === null) throw new Error(`No purchase ${ref} is in the books`);
  return balance;
}

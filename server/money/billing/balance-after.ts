import type { Runtime } from '../../core/runtime';
import type { Microusd } from '../../kit/money';
import { findBalanceAfter } from './store';

/**
 * The balance right after a purchase, credit minus debt, as the statement shows it. Later movements
 * do not change it.
 * @param ref of the purchase's ledger entry
 */
export async function getBalanceAfter(runtime: Pick<Runtime, 'db'>, ref: string): Promise<Microusd> {
  const balance = await findBalanceAfter(runtime.db, 'purchase', ref);
  if (balance === null) throw new Error(`The ledger has no purchase ${ref}`);
  return balance;
}

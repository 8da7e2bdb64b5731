import type { Runtime } from '../../core/runtime';
import type { Microusd } from '../../kit/money';
import { findPreferences } from './store';

/** What an account may spend in a calendar month (UTC), null for no limit, and has spent so far. */
export async function getSpendingLimit(
  { db }: Pick<Runtime, 'db'>,
  accountId: string,
): Promise<{ limit: Microusd | null; spent: Microusd }> {
  const row = await findPreferences(db, accountId);
  return { limit: row.budget_limit, spent: row.spent };
}

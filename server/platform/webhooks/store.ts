import type { Sql } from '@/db/client';

/** The monthly limit of an account, the spending limit of a key, or its credit limit. */
export type LimitOwner = 'account' | 'key' | 'key credits';

export async function emitSpendingLimit(db: Sql, of: LimitOwner, id: string): Promise<void> {
  if (of === 'account') await db`select emit_spending_limit(${id})`;
  else if (of === 'key') await db`select emit_key_spending_limit(${id})`;
  else await db`select emit_key_credit_limit(${id})`;
}

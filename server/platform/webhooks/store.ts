import type { Sql } from '@/db/client';

export async function emitSpendingLimit(db: Sql, of: 'account' | 'key', id: string): Promise<void> {
  if (of === 'account') await db`select emit_spending_limit(${id})`;
  else await db`select emit_key_spending_limit(${id})`;
}

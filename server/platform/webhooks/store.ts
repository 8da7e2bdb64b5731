import type { Sql } from '@/db/client';

/** The monthly limit of an account or a team's member, the spending or credit limit of a key. */
export type ReportedLimit =
  | { of: 'account' | 'key' | 'key credits'; id: string }
  | { of: 'member'; id: string; team: string };

export async function emitSpendingLimit(db: Sql, limit: ReportedLimit): Promise<void> {
  const { of, id } = limit;
  if (of === 'member') await db`select emit_member_limit(${id}, ${limit.team})`;
  else if (of === 'account') await db`select emit_spending_limit(${id})`;
  else if (of === 'key') await db`select emit_key_spending_limit(${id})`;
  else await db`select emit_key_credit_limit(${id})`;
}

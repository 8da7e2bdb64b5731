import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import type { AuditFilter } from './schema';

export interface AuditDbRow extends Record<string, unknown> {
  id: string;
  created_at: string;
  actor: string;
  action: string;
  account_id: string | null;
  target: string | null;
  details: Record<string, string | number | boolean | null>;
  request_id: string | null;
}

/** Audit events, newest first. Actor and action match substrings. */
export async function listAudit(
  db: Executor,
  { actor, action, account_id }: AuditFilter,
  before: string | null,
  limit: number,
): Promise<AuditDbRow[]> {
  const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const conditions: SQL[] = [
    ...(before ? [sql`id < ${before}`] : []),
    ...(actor ? [sql`actor ilike ${part(actor)}`] : []),
    ...(action ? [sql`action ilike ${part(action)}`] : []),
    ...(account_id ? [sql`account_id = ${account_id}`] : []),
  ];
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  return await db.execute<AuditDbRow>(sql`
    select id, created_at, actor, action, account_id, target, details, request_id
    from audit_events ${where} order by id desc limit ${limit}`);
}

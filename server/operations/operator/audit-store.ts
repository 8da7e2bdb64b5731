import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, json, type RowOf, text, timestamptz } from '@/db/rows';
import { lowestIdAt } from '../../kit/ids';
import type { AuditFilter } from './schema';

const auditDbRow = defineRow({
  id: text(),
  created_at: timestamptz(),
  actor: text(),
  action: text(),
  account_id: text().nullable(),
  target: text().nullable(),
  details: json<Record<string, string | number | boolean | null>>(),
  request_id: text().nullable(),
});
export type AuditDbRow = RowOf<typeof auditDbRow>;

const DAY_MS = 86_400_000;

/** Audit events, newest first. Actor and action match substrings; ids are in order of time. */
export async function listAudit(
  db: Executor,
  { actor, action, account_id, from, to }: AuditFilter,
  before: string | undefined,
  limit: number,
): Promise<AuditDbRow[]> {
  const part = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const conditions: SQL[] = [
    ...(before ? [sql`id < ${before}`] : []),
    ...(actor ? [sql`actor ilike ${part(actor)}`] : []),
    ...(action ? [sql`action ilike ${part(action)}`] : []),
    ...(account_id ? [sql`account_id = ${account_id}`] : []),
    ...(from ? [sql`id >= ${lowestIdAt('audit', Date.parse(from))}`] : []),
    ...(to ? [sql`id < ${lowestIdAt('audit', Date.parse(to) + DAY_MS)}`] : []),
  ];
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  return await auditDbRow.read(
    db.execute(sql`
      select id, created_at, actor, action, account_id, target, details, request_id
      from audit_events ${where} order by id desc limit ${limit}`),
  );
}

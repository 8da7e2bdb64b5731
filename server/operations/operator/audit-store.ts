import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, json, type RowOf, text, timestamptz } from '@/db/rows';
import { lowestIdAt } from '../../kit/ids';
import { isAccountNamed, selectAccountName, toPart } from './account-names';
import type { AuditFilter, AuditInput } from './schema';

const auditDbRow = defineRow({
  id: text(),
  created_at: timestamptz(),
  actor: text(),
  actor_name: text().nullable(),
  action: text(),
  account_id: text().nullable(),
  account_name: text().nullable(),
  target: text().nullable(),
  target_name: text().nullable(),
  details: json<Record<string, string | number | boolean | null>>(),
  request_id: text().nullable(),
});
export type AuditDbRow = RowOf<typeof auditDbRow>;

const DAY_MS = 86_400_000;

/** The name of what an id stands for: a person, or a key. */
const selectName = (id: SQL) => sql`coalesce((select p.email from users p where p.id = ${id}),
  (select k.name from api_keys k where k.id = ${id}))`;

/**
 * Audit events in the order of time, which is that of their ids. Actor, action and account match
 * substrings, also of email addresses and names.
 */
export async function listAudit(
  db: Executor,
  { actor, action, account_id, from, to }: AuditFilter,
  { after, sort, limit }: { after: string | undefined; sort?: AuditInput['sort']; limit: number },
): Promise<AuditDbRow[]> {
  const [beyond, direction] = sort === 'created.asc' ? [sql`>`, sql`asc`] : [sql`<`, sql`desc`];
  const conditions: SQL[] = [
    ...(after ? [sql`id ${beyond} ${after}`] : []),
    ...(actor ? [isActorNamed(actor)] : []),
    ...(action ? [sql`action ilike ${toPart(action)}`] : []),
    ...(account_id ? [isAccountNamed(sql`e.account_id`, account_id)] : []),
    ...(from ? [sql`id >= ${lowestIdAt('audit', Date.parse(from))}`] : []),
    ...(to ? [sql`id < ${lowestIdAt('audit', Date.parse(to) + DAY_MS)}`] : []),
  ];
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``;
  return await auditDbRow.read(
    db.execute(sql`
      select id, created_at, actor, ${selectName(sql`substr(e.actor, strpos(e.actor, ':') + 1)`)} as actor_name, action,
        account_id, ${selectAccountName(sql`e.account_id`)} as account_name, target,
        ${selectName(sql`e.target`)} as target_name, details, request_id
      from audit_events e ${where} order by id ${direction} limit ${limit}`),
  );
}

function isActorNamed(text: string): SQL {
  const part = toPart(text);
  return sql`(actor ilike ${part} or actor in (select 'user:' || p.id from users p where p.email ilike ${part})
    or actor in (select 'key:' || k.id from api_keys k where k.name ilike ${part}))`;
}

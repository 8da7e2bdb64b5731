import { type SQL, sql } from 'drizzle-orm';
import { arrayLiteral } from '@/db/array-literal';
import type { Executor } from '@/db/client';
import { defineRow, text } from '@/db/rows';

/** A search by name names no more accounts than this. */
const MAX_FOUND = 1_000;

/** SQL: how an account is called in lists: a team by its name, a person by their email address. */
export function selectAccountName(accountId: SQL): SQL {
  return sql`(select case when n.type = 'team' then n.name else coalesce(o.email, n.slug, n.name) end
    from accounts n left join users o on o.id = n.owner_user_id and o.email not like '%@deleted.invalid'
    where n.id = ${accountId})`;
}

/** SQL: whether an account has this id, or this text in its email address, name or slug. */
export function isAccountNamed(accountId: SQL, text: string): SQL {
  const part = toPart(text);
  return sql`${accountId} in (select n.id from accounts n left join users o on o.id = n.owner_user_id
    where n.id = ${text} or n.slug ilike ${part} or n.name ilike ${part} or o.email ilike ${part})`;
}

/** A pattern for `ilike`, in which the text stands for itself. */
export function toPart(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

const idRow = defineRow({ id: text() });

/** The accounts that `isAccountNamed`. */
export async function findAccountIds(db: Executor, part: string): Promise<string[]> {
  const rows = await idRow.read(
    db.execute(sql`select a.id from accounts a where ${isAccountNamed(sql`a.id`, part)} limit ${MAX_FOUND}`),
  );
  return rows.map(({ id }) => id);
}

const namedRow = defineRow({ id: text(), name: text().nullable() });

/** What lists call these accounts, by id. */
export async function findAccountNames(db: Executor, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await namedRow.read(
    db.execute(sql`
      select a.id, ${selectAccountName(sql`a.id`)} as name from unnest(${arrayLiteral(ids)}::text[]) as a(id)`),
  );
  return new Map(rows.map(({ id, name }) => [id, name ?? id]));
}

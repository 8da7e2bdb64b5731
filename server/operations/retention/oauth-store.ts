import { type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, text } from '@/db/rows';

/** Deletes codes that expired this long ago; until then, a reused code is recognised. */
export async function deleteEndedCodes(tx: Executor, hours: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from oauth_codes where code_hash in (
      select code_hash from oauth_codes where expires_at < now() - make_interval(hours => ${hours}::int)
      limit ${limit} for update skip locked)`,
  );
}

export async function deleteExpiredTokens(tx: Executor, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from oauth_tokens where token_hash in (
      select token_hash from oauth_tokens where expires_at < now() limit ${limit} for update skip locked)`,
  );
}

const grantRow = defineRow({ key_id: text() });

/** Deletes grants that can no longer be used: without a token left, or with a revoked key. */
export async function endUnusedGrants(tx: Executor, limit: number): Promise<number> {
  const rows = await grantRow.read(
    tx.execute(sql`
      delete from oauth_grants where id in (
        select g.id from oauth_grants g join api_keys k on k.id = g.key_id
        where k.revoked_at is not null or not exists (select 1 from oauth_tokens t where t.grant_id = g.id)
        limit ${limit} for update of g skip locked)
      returning key_id`),
  );
  // In id order, as in every transaction, to avoid deadlocks.
  const keys = sql.param(rows.map((row) => row.key_id).sort());
  await tx.execute(sql`
    update api_keys set revoked_at = now() where revoked_at is null and id in (
      select id from api_keys where id = any(${keys}::text[]) order by id for no key update)`);
  return rows.length;
}

/** Deletes applications without a grant that have not been used for this long. */
export async function deleteUnusedClients(tx: Executor, days: number, limit: number): Promise<number> {
  return await count(
    tx,
    sql`delete from oauth_clients where id in (
      select c.id from oauth_clients c where c.last_used_at < now() - make_interval(days => ${days}::int)
        and not exists (select 1 from oauth_grants g where g.client_id = c.id)
      order by c.last_used_at limit ${limit} for update skip locked)`,
  );
}

async function count(tx: Executor, deletion: SQL): Promise<number> {
  return (await tx.execute(deletion)).count;
}

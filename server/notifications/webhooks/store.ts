import { and, asc, eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, integer, text } from '@/db/rows';
import { webhookEndpoints, webhookSecrets } from '@/db/schema/webhooks';

export type EndpointRow = typeof webhookEndpoints.$inferSelect;
export type NewEndpoint = Pick<EndpointRow, 'id' | 'accountId' | 'url' | 'events' | 'description'>;

/** Serializes the creation of endpoints of one account, which has a limit. */
export async function lockEndpoints(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks:${accountId}`}, 0))`);
}

const countRow = defineRow({ count: integer() });

export async function countEndpoints(tx: Executor, accountId: string): Promise<number> {
  const [row] = await countRow.read(
    tx.execute(sql`select count(*)::int as count from webhook_endpoints where account_id = ${accountId}`),
  );
  return row?.count ?? 0;
}

export async function insertEndpoint(tx: Executor, endpoint: NewEndpoint): Promise<EndpointRow> {
  const [row] = await tx.insert(webhookEndpoints).values(endpoint).returning();
  return row as EndpointRow;
}

/** An endpoint, and until when its previous secret signs. */
export interface EndpointRecord extends EndpointRow {
  previousExpiresAt: Date | null;
}

function selectEndpoints(db: Executor) {
  return db
    .select({ endpoint: webhookEndpoints, previousExpiresAt: webhookSecrets.previousExpiresAt })
    .from(webhookEndpoints)
    .leftJoin(webhookSecrets, eq(webhookSecrets.holderId, webhookEndpoints.id));
}

export async function listEndpoints(db: Executor, accountId: string): Promise<EndpointRecord[]> {
  const rows = await selectEndpoints(db)
    .where(eq(webhookEndpoints.accountId, accountId))
    .orderBy(asc(webhookEndpoints.id));
  return rows.map(({ endpoint, previousExpiresAt }) => Object.assign(endpoint, { previousExpiresAt }));
}

export async function findEndpoint(
  db: Executor,
  accountId: string,
  id: string,
): Promise<EndpointRecord | null> {
  const [row] = await selectEndpoints(db).where(
    and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.accountId, accountId)),
  );
  return row ? Object.assign(row.endpoint, { previousExpiresAt: row.previousExpiresAt }) : null;
}

/** Locks an endpoint of the account; false if there is none. */
export async function lockEndpoint(tx: Executor, accountId: string, id: string): Promise<boolean> {
  const rows = await tx.execute(
    sql`select 1 from webhook_endpoints where id = ${id} and account_id = ${accountId} for update`,
  );
  return rows.length > 0;
}

export async function updateEndpoint(
  tx: Executor,
  id: string,
  changes: Partial<Pick<EndpointRow, 'url' | 'events' | 'description'>>,
): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ ...changes, updatedAt: sql`now()` })
    .where(eq(webhookEndpoints.id, id));
}

/** Enables an endpoint: its failures are forgotten. */
export async function enableEndpoint(tx: Executor, id: string): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ disabledAt: null, disabledReason: null, failingSince: null, updatedAt: sql`now()` })
    .where(eq(webhookEndpoints.id, id));
}

/**
 * Disables an enabled endpoint, and ends its pending deliveries as failed.
 * @returns whether this call disabled it
 */
export async function disableEndpoint(
  tx: Executor,
  id: string,
  reason: NonNullable<EndpointRow['disabledReason']>,
): Promise<boolean> {
  const disabled = await tx.execute(sql`
    update webhook_endpoints set disabled_at = now(), disabled_reason = ${reason}, updated_at = now()
    where id = ${id} and disabled_at is null returning id`);
  if (disabled.length === 0) return false;
  await tx.execute(sql`
    update webhook_deliveries set state = 'failed', finished_at = now(), next_attempt_at = null,
      last_error = 'The endpoint is disabled.'
    where holder_id = ${id} and state = 'pending'`);
  return true;
}

export async function deleteEndpoint(tx: Executor, id: string): Promise<void> {
  await tx.execute(sql`delete from webhook_deliveries where holder_id = ${id}`);
  await tx.execute(sql`delete from webhook_secrets where holder_id = ${id}`);
  await tx.execute(sql`delete from webhook_endpoints where id = ${id}`);
}

/** Inserts the secret of an endpoint or key, unless it has one. */
export async function insertSecret(db: Executor, holderId: string, sealed: string): Promise<void> {
  await db.insert(webhookSecrets).values({ holderId, sealed }).onConflictDoNothing();
}

const sealedRow = defineRow({ sealed: text() });

export async function findSealedSecret(db: Executor, holderId: string): Promise<string | null> {
  const [row] = await sealedRow.read(
    db.execute(sql`select sealed from webhook_secrets where holder_id = ${holderId}`),
  );
  return row?.sealed ?? null;
}

/** Replaces a secret. The one before it also signs for some hours, any older one no longer. */
export async function replaceSecret(
  tx: Executor,
  holderId: string,
  sealed: string,
  overlapHours: number,
): Promise<void> {
  await tx.execute(sql`
    update webhook_secrets set sealed = ${sealed},
      previous_sealed = case when ${overlapHours}::int > 0 then sealed end,
      previous_expires_at = case when ${overlapHours}::int > 0 then now() + make_interval(hours => ${overlapHours}::int) end
    where holder_id = ${holderId}`);
}

const resealRow = defineRow({ holder_id: text(), sealed: text(), previous_sealed: text().nullable() });

/** Secrets with a value that another vault key has sealed, in the order of their holders. */
export async function listSecretsSealedBefore(
  db: Executor,
  vaultKeyId: string,
  after: string,
  limit: number,
): Promise<{ holder_id: string; sealed: string; previous_sealed: string | null }[]> {
  return await resealRow.read(
    db.execute(sql`
      select holder_id, sealed, previous_sealed from webhook_secrets
      where (split_part(sealed, '.', 2) <> ${vaultKeyId} or split_part(previous_sealed, '.', 2) <> ${vaultKeyId})
        and holder_id > ${after} order by holder_id limit ${limit}`),
  );
}

/** @returns false if the secret was rotated or deleted concurrently */
export async function replaceSealed(
  db: Executor,
  holderId: string,
  column: 'sealed' | 'previous_sealed',
  change: { from: string; to: string },
): Promise<boolean> {
  const name = sql.identifier(column);
  const rows = await db.execute(sql`
    update webhook_secrets set ${name} = ${change.to}
    where holder_id = ${holderId} and ${name} = ${change.from} returning 1`);
  return rows.length > 0;
}

const keyCountRow = defineRow({ key_id: text(), count: integer() });

/** How many values are sealed with each vault key. */
export async function countSecretsByVaultKey(db: Executor): Promise<{ key_id: string; count: number }[]> {
  return await keyCountRow.read(
    db.execute(sql`
      select split_part(v.sealed, '.', 2) as key_id, count(*)::int as count
      from webhook_secrets s, lateral (values (s.sealed), (s.previous_sealed)) v(sealed)
      where v.sealed is not null group by 1 order by 1`),
  );
}

/**
 * Deletes the endpoints of an account with their secrets, and all its deliveries. Locks endpoints
 * before deliveries, as what records an attempt does.
 */
export async function deleteAccountWebhooks(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    select 1 from webhook_endpoints where account_id = ${accountId} order by id for update`);
  await tx.execute(sql`delete from webhook_deliveries where account_id = ${accountId}`);
  await tx.execute(sql`
    delete from webhook_secrets where holder_id in (select id from webhook_endpoints where account_id = ${accountId})`);
  await tx.execute(sql`delete from webhook_endpoints where account_id = ${accountId}`);
}

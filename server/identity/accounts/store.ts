import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, integer } from '@/db/rows';
import { accounts, memberships } from '@/db/schema/accounts';
import { assets } from '@/db/schema/assets';
import { sessions, users } from '@/db/schema/auth';
import { usageRecords } from '@/db/schema/calls';
import { apiKeys } from '@/db/schema/keys';
import { ledgerEntries } from '@/db/schema/ledger';
import { reviews } from '@/db/schema/reviews';

export async function insertAccount(tx: Executor, row: typeof accounts.$inferInsert): Promise<void> {
  await tx.insert(accounts).values(row);
}

/** @returns false if the person already has a personal account */
export async function insertPersonalAccount(
  tx: Executor,
  row: typeof accounts.$inferInsert,
): Promise<boolean> {
  const inserted = await tx.insert(accounts).values(row).onConflictDoNothing().returning({ id: accounts.id });
  return inserted.length > 0;
}

export async function insertMembership(tx: Executor, row: typeof memberships.$inferInsert): Promise<void> {
  await tx.insert(memberships).values(row);
}

export async function findAccountByClaimHash(db: Executor, hash: Buffer) {
  const [row] = await db.select().from(accounts).where(eq(accounts.claimTokenHash, hash));
  return row ?? null;
}

/** Locks an account's keys in id order. Lock keys before their account, as calls do. */
export async function lockAccountKeys(tx: Executor, accountId: string) {
  return await tx
    .select({ id: apiKeys.id, name: apiKeys.name, mask: apiKeys.mask })
    .from(apiKeys)
    .where(eq(apiKeys.accountId, accountId))
    .orderBy(apiKeys.id)
    .for('no key update');
}

/**
 * Moves keys, running calls, jobs, webhooks, history, roll-ups, refusals, assets and reviews.
 * Where both accounts reviewed a tool, the review of `toId` wins. Stored responses do not move:
 * a key's idempotency records stay under the account that issued it.
 * @param managesAccount whether the keys may manage the account they move to
 */
export async function moveAccountData(
  tx: Executor,
  fromId: string,
  toId: string,
  managesAccount: boolean,
): Promise<void> {
  await tx.execute(sql`
    update api_keys set account_id = ${toId}, origin_account_id = ${fromId}, manages_account = ${managesAccount}
    where account_id = ${fromId}`);
  await tx.execute(sql`update calls set account_id = ${toId} where account_id = ${fromId}`);
  await tx.execute(sql`update usage_records set account_id = ${toId} where account_id = ${fromId}`);
  // A key belongs to one account at a time, so `toId` has no roll-up of its hours yet.
  await tx.execute(sql`update usage_rollups set account_id = ${toId} where account_id = ${fromId}`);
  // Hours first: the job that adds up days locks usage_days before it reads the hours.
  await tx.execute(sql`update usage_days set account_id = ${toId} where account_id = ${fromId}`);
  await moveRefusals(tx, fromId, toId);
  await tx.execute(sql`update jobs set account_id = ${toId} where account_id = ${fromId}`);
  await moveWebhooks(tx, fromId, toId, managesAccount);
  await tx.execute(sql`update assets set account_id = ${toId} where account_id = ${fromId}`);
  await tx.execute(sql`delete from reviews r where r.account_id = ${fromId}
    and exists (select 1 from reviews o where o.account_id = ${toId} and o.tool = r.tool)`);
  await tx.execute(sql`update reviews set account_id = ${toId} where account_id = ${fromId}`);
}

/** Both accounts may have refusals without a key in the same minute. */
async function moveRefusals(tx: Executor, fromId: string, toId: string): Promise<void> {
  await tx.execute(sql`
    with moved as (delete from refusal_minutes where account_id = ${fromId} returning *)
    insert into refusal_minutes as m (account_id, minute, key_id, code, limit_name, tool, refused, last_at, retry_at,
      rules_version)
    select ${toId}, minute, key_id, code, limit_name, tool, refused, last_at, retry_at, rules_version from moved
    on conflict (account_id, minute, key_id, code, limit_name, tool) do update set refused = m.refused + excluded.refused,
      last_at = greatest(m.last_at, excluded.last_at), retry_at = greatest(m.retry_at, excluded.retry_at)`);
  await tx.execute(sql`update refusals set account_id = ${toId} where account_id = ${fromId}`);
}

/** Deletes the refused calls of an account, with their client addresses. */
export async function deleteRefusals(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`delete from refusal_minutes where account_id = ${accountId}`);
  await tx.execute(sql`delete from refusals where account_id = ${accountId}`);
}

/**
 * Endpoints see all events of their account, so they move only with keys that may manage it. The
 * webhooks of calls follow their key.
 */
async function moveWebhooks(
  tx: Executor,
  fromId: string,
  toId: string,
  managesAccount: boolean,
): Promise<void> {
  await tx.execute(sql`
    update webhook_deliveries set account_id = ${toId}
    where account_id = ${fromId} and (${managesAccount} or url is not null)`);
  if (managesAccount)
    await tx.execute(sql`update webhook_endpoints set account_id = ${toId} where account_id = ${fromId}`);
}

/**
 * Deletes the inputs and outputs of an account's calls, except calls that are still running; their
 * ends are reported to no one.
 */
export async function deletePayloads(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`delete from jobs where account_id = ${accountId} and finished_at is not null`);
  await tx.execute(sql`
    update jobs set webhook_url = null where account_id = ${accountId} and webhook_url is not null`);
  await tx.execute(sql`
    delete from idempotency_keys where finished_at is not null and (account_id = ${accountId}
      or account_id in (select origin_account_id from api_keys where account_id = ${accountId}))`);
}

/**
 * Lets the sweep remove the client addresses of all calls of the account's keys, which the caller
 * has locked. Running calls lose theirs now.
 */
export async function forgetAddresses(tx: Executor, accountId: string): Promise<void> {
  await tx.execute(sql`
    update calls set client_address = null
    where key_id in (select id from api_keys where account_id = ${accountId})`);
  await tx.execute(
    sql`insert into address_removals (account_id) values (${accountId}) on conflict do nothing`,
  );
}

export async function markClaimed(tx: Executor, fromId: string, toId: string): Promise<void> {
  await tx
    .update(accounts)
    .set({ claimedAt: sql`now()`, closedAt: sql`now()`, claimedByAccountId: toId })
    .where(eq(accounts.id, fromId));
}

export async function listKeysClaimedFrom(db: Executor, originAccountId: string) {
  return await db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.originAccountId, originAccountId))
    .orderBy(apiKeys.id);
}

/** Returns the credit that a claim moved, from the ledger. */
export async function findClaimedCredit(db: Executor, fromId: string): Promise<bigint> {
  const [row] = await db
    .select({ amount: ledgerEntries.amountMicrousd })
    .from(ledgerEntries)
    .where(and(eq(ledgerEntries.kind, 'claim_in'), eq(ledgerEntries.ref, fromId)));
  return row?.amount ?? 0n;
}

const dataRow = defineRow({ calls: integer(), assets: integer(), reviews: integer() });

export async function countAccountData(
  db: Executor,
  accountId: string,
): Promise<{ calls: number; assets: number; reviews: number }> {
  const [row] = await dataRow.read(
    db.execute(sql`
      select (select count(*)::int from ${usageRecords} where account_id = ${accountId}) as calls,
        (select count(*)::int from ${assets}
          where account_id = ${accountId} and stored_at is not null and deleted_at is null) as assets,
        (select count(*)::int from ${reviews} where account_id = ${accountId}) as reviews`),
  );
  return row ?? { calls: 0, assets: 0, reviews: 0 };
}

export async function findPersonalAccount(db: Executor, userId: string) {
  const [row] = await db
    .select()
    .from(accounts)
    .where(and(eq(accounts.ownerUserId, userId), eq(accounts.type, 'personal'), isNull(accounts.closedAt)));
  return row ?? null;
}

export async function findUser(db: Executor, userId: string) {
  const [row] = await db.select().from(users).where(eq(users.id, userId));
  return row ?? null;
}

export async function findUserByEmail(db: Executor, email: string) {
  const [row] = await db.select().from(users).where(eq(users.email, email));
  return row ?? null;
}

export async function insertUser(tx: Executor, row: typeof users.$inferInsert): Promise<void> {
  await tx.insert(users).values(row);
}

/** @returns whether the row was inserted; waits for a concurrent insert of the same address */
export async function insertUserIfNew(tx: Executor, row: typeof users.$inferInsert): Promise<boolean> {
  const added = await tx.insert(users).values(row).onConflictDoNothing().returning({ id: users.id });
  return added.length > 0;
}

export async function findAccount(db: Executor, accountId: string) {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, accountId));
  return row ?? null;
}

/** Only teams have slugs. */
export async function findAccountBySlug(db: Executor, slug: string) {
  const [row] = await db.select().from(accounts).where(eq(accounts.slug, slug));
  return row ?? null;
}

/** Freezes or unfreezes an account. Freezing it again keeps the first time. */
export async function updateFrozen(
  tx: Executor,
  accountId: string,
  { frozen, reason }: { frozen: boolean; reason: string | null },
): Promise<void> {
  await tx
    .update(accounts)
    .set({ frozenAt: frozen ? sql`coalesce(${accounts.frozenAt}, now())` : null, frozenReason: reason })
    .where(eq(accounts.id, accountId));
}

export async function updateUserName(db: Executor, userId: string, name: string): Promise<void> {
  await db.update(users).set({ name }).where(eq(users.id, userId));
}

export async function listSessions(db: Executor, userId: string) {
  return await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.userId, userId), sql`${sessions.expires} > now() and not ${sessions.factorDue}`))
    .orderBy(sql`${sessions.createdAt} desc`);
}

export async function deleteSession(db: Executor, userId: string, tokenHash: string): Promise<boolean> {
  const gone = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), eq(sessions.sessionToken, tokenHash)))
    .returning({ id: sessions.sessionToken });
  return gone.length > 0;
}

/** @returns how many ended */
export async function deleteOtherSessions(db: Executor, userId: string, keptId: string): Promise<number> {
  const gone = await db
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.sessionToken, keptId)))
    .returning({ id: sessions.sessionToken });
  return gone.length;
}

export async function updateAccountName(tx: Executor, accountId: string, name: string): Promise<void> {
  await tx.update(accounts).set({ name }).where(eq(accounts.id, accountId));
}

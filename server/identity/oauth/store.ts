import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';
import { apiKeys } from '@/db/schema/keys';
import { oauthClients, oauthCodes, oauthGrants, oauthTokens } from '@/db/schema/oauth';
import type { Microusd } from '../../kit/money';
import { hashToken, type TokenKind, type TokenPair } from './oauth-token';

export type ClientRow = typeof oauthClients.$inferSelect;
type NewClient = typeof oauthClients.$inferInsert;

export async function insertClient(db: Executor, row: NewClient): Promise<ClientRow> {
  const [inserted] = await db.insert(oauthClients).values(row).returning();
  return inserted as ClientRow;
}

/** Inserts or updates a client from its freshly fetched document. */
export async function upsertDocumentClient(
  db: Executor,
  row: Pick<NewClient, 'id' | 'name' | 'redirectUris' | 'uri'>,
): Promise<ClientRow> {
  const { id, ...facts } = row;
  const read = { documentReadAt: sql`now()`, lastUsedAt: sql`now()` };
  const [kept] = await db
    .insert(oauthClients)
    .values({ id, ...facts, ...read })
    .onConflictDoUpdate({ target: oauthClients.id, set: { ...facts, ...read } })
    .returning();
  return kept as ClientRow;
}

export async function findClientRow(db: Executor, id: string): Promise<ClientRow | null> {
  const [row] = await db.select().from(oauthClients).where(eq(oauthClients.id, id));
  return row ?? null;
}

/** Records the client's use, at most once a day. */
export async function touchClient(db: Executor, id: string): Promise<void> {
  await db
    .update(oauthClients)
    .set({ lastUsedAt: sql`now()` })
    .where(and(eq(oauthClients.id, id), sql`${oauthClients.lastUsedAt} < now() - interval '1 day'`));
}

export async function insertCode(
  db: Executor,
  row: Omit<typeof oauthCodes.$inferInsert, 'expiresAt'>,
  lifetimeSeconds: number,
): Promise<void> {
  await db
    .insert(oauthCodes)
    .values({ ...row, expiresAt: sql`now() + make_interval(secs => ${lifetimeSeconds}::int)` });
}

/** Finds and locks a client's code. */
export async function lockCode(tx: Executor, clientId: string, codeHash: Buffer) {
  const [row] = await tx
    .select({
      userId: oauthCodes.userId,
      accountId: oauthCodes.accountId,
      redirectUri: oauthCodes.redirectUri,
      challenge: oauthCodes.challenge,
      creditsMicrousd: oauthCodes.creditsMicrousd,
      usedAt: oauthCodes.usedAt,
      grantId: oauthCodes.grantId,
      expired: sql<boolean>`${oauthCodes.expiresAt} <= now()`,
    })
    .from(oauthCodes)
    .where(and(eq(oauthCodes.codeHash, codeHash), eq(oauthCodes.clientId, clientId)))
    .for('update');
  return row ?? null;
}

export async function markCodeUsed(tx: Executor, codeHash: Buffer, grantId: string): Promise<void> {
  await tx.update(oauthCodes).set({ usedAt: sql`now()`, grantId }).where(eq(oauthCodes.codeHash, codeHash));
}

/**
 * Lists a person's grants for one client, newest first, and locks them. Lock grants before keys and
 * accounts.
 */
export async function lockClientGrants(tx: Executor, userId: string, clientId: string) {
  return await tx
    .select({ id: oauthGrants.id, keyId: oauthGrants.keyId })
    .from(oauthGrants)
    .where(and(eq(oauthGrants.userId, userId), eq(oauthGrants.clientId, clientId)))
    .orderBy(desc(oauthGrants.id))
    .for('update');
}

/**
 * Finds a client's grant with the state of its key and account, and locks the grant. Lock it before
 * its tokens, key and account.
 */
export async function lockGrant(tx: Executor, clientId: string, grantId: string) {
  const [row] = await tx
    .select({
      id: oauthGrants.id,
      userId: oauthGrants.userId,
      keyRevoked: sql<boolean>`${apiKeys.revokedAt} is not null`,
      accountFrozen: sql<boolean>`${accounts.frozenAt} is not null`,
    })
    .from(oauthGrants)
    .innerJoin(apiKeys, eq(apiKeys.id, oauthGrants.keyId))
    .innerJoin(accounts, eq(accounts.id, apiKeys.accountId))
    .where(and(eq(oauthGrants.id, grantId), eq(oauthGrants.clientId, clientId)))
    .for('update', { of: oauthGrants });
  return row ?? null;
}

export async function insertGrant(tx: Executor, row: typeof oauthGrants.$inferInsert): Promise<void> {
  await tx.insert(oauthGrants).values(row);
}

/**
 * Deletes a person's grant; its tokens cascade.
 * @returns null if there is none
 */
export async function deleteGrant(tx: Executor, userId: string, grantId: string) {
  const [row] = await tx
    .delete(oauthGrants)
    .where(and(eq(oauthGrants.id, grantId), eq(oauthGrants.userId, userId)))
    .returning({ keyId: oauthGrants.keyId, clientId: oauthGrants.clientId });
  return row ?? null;
}

export async function deleteUserGrants(tx: Executor, userId: string): Promise<void> {
  await tx.delete(oauthCodes).where(eq(oauthCodes.userId, userId));
  await tx.delete(oauthGrants).where(eq(oauthGrants.userId, userId));
}

/** Counts a person's grants; only those for one client if given. */
export async function countGrants(db: Executor, userId: string, clientId?: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(oauthGrants)
    .where(
      and(
        eq(oauthGrants.userId, userId),
        clientId === undefined ? undefined : eq(oauthGrants.clientId, clientId),
      ),
    );
  return row?.count ?? 0;
}

export async function insertGrantKey(
  tx: Executor,
  key: { id: string; accountId: string; name: string; keyHash: Buffer; creditsMicrousd: Microusd | null },
): Promise<void> {
  await tx.insert(apiKeys).values({ ...key, kind: 'oauth', mask: 'application' });
}

/** @returns the id of the key's account; null if there is no such key */
export async function revokeGrantKey(tx: Executor, keyId: string): Promise<string | null> {
  const [row] = await tx
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.kind, 'oauth')))
    .returning({ accountId: apiKeys.accountId });
  return row?.accountId ?? null;
}

export async function insertTokens(
  tx: Executor,
  grantId: string,
  tokens: TokenPair,
  lifetimes: { accessSeconds: number; refreshSeconds: number },
): Promise<void> {
  const until = (seconds: number) => sql`now() + make_interval(secs => ${seconds}::int)`;
  await tx.insert(oauthTokens).values([
    {
      tokenHash: hashToken(tokens.access),
      grantId,
      kind: 'access',
      expiresAt: until(lifetimes.accessSeconds),
    },
    {
      tokenHash: hashToken(tokens.refresh),
      grantId,
      kind: 'refresh',
      expiresAt: until(lifetimes.refreshSeconds),
    },
  ]);
}

/** Finds the grant of a client's access or refresh token. */
export async function findTokenGrant(db: Executor, clientId: string, tokenHash: Buffer) {
  const [row] = await db
    .select({ grantId: oauthTokens.grantId, kind: oauthTokens.kind })
    .from(oauthTokens)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthTokens.grantId))
    .where(and(eq(oauthTokens.tokenHash, tokenHash), eq(oauthGrants.clientId, clientId)));
  return row ?? null;
}

/**
 * Reads a token of a locked grant.
 * @param graceSeconds how recently a use counts as `usedJustNow`
 */
export async function findToken(
  tx: Executor,
  {
    grantId,
    tokenHash,
    kind,
  }: { grantId: string; tokenHash: Buffer; kind: TokenKind & ('access' | 'refresh') },
  graceSeconds = 0,
) {
  const [row] = await tx
    .select({
      usedAt: oauthTokens.usedAt,
      seed: oauthTokens.successorSeed,
      secondsLeft: sql<number>`floor(extract(epoch from ${oauthTokens.expiresAt} - now()))::int`,
      usedJustNow: sql<boolean>`coalesce(${oauthTokens.usedAt} > now() - make_interval(secs => ${graceSeconds}::int), false)`,
    })
    .from(oauthTokens)
    .where(
      and(eq(oauthTokens.tokenHash, tokenHash), eq(oauthTokens.grantId, grantId), eq(oauthTokens.kind, kind)),
    );
  return row ?? null;
}

export async function markTokenUsed(
  tx: Executor,
  { grantId, tokenHash, seed }: { grantId: string; tokenHash: Buffer; seed: Buffer },
): Promise<void> {
  await tx
    .update(oauthTokens)
    .set({ usedAt: sql`now()`, successorSeed: seed })
    .where(and(eq(oauthTokens.tokenHash, tokenHash), eq(oauthTokens.grantId, grantId)));
}

export async function deleteToken(db: Executor, grantId: string, tokenHash: Buffer): Promise<void> {
  await db
    .delete(oauthTokens)
    .where(and(eq(oauthTokens.tokenHash, tokenHash), eq(oauthTokens.grantId, grantId)));
}

/** Finds the key hash, in hex, behind an access token that is neither expired nor revoked. */
export async function findKeyHashByToken(db: Executor, tokenHash: Buffer): Promise<string | null> {
  const [row] = await db
    .select({ keyHash: apiKeys.keyHash })
    .from(oauthTokens)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthTokens.grantId))
    .innerJoin(apiKeys, eq(apiKeys.id, oauthGrants.keyId))
    .where(
      and(
        eq(oauthTokens.tokenHash, tokenHash),
        eq(oauthTokens.kind, 'access'),
        sql`${oauthTokens.expiresAt} > now()`,
        isNull(apiKeys.revokedAt),
      ),
    );
  return row?.keyHash.toString('hex') ?? null;
}

const CONNECTION = {
  id: oauthGrants.id,
  keyId: oauthGrants.keyId,
  clientId: oauthClients.id,
  documentReadAt: oauthClients.documentReadAt,
  name: apiKeys.name,
  redirectUri: oauthGrants.redirectUri,
  createdAt: oauthGrants.createdAt,
  lastUsedAt: apiKeys.lastUsedAt,
  creditsMicrousd: apiKeys.creditsMicrousd,
  creditsUsedMicrousd: apiKeys.creditsUsedMicrousd,
  creditsHeldMicrousd: apiKeys.creditsHeldMicrousd,
} as const;

export type ConnectionRow = Awaited<ReturnType<typeof listConnectionRows>>[number];

/** Lists a person's active grants, newest first. */
export async function listConnectionRows(db: Executor, userId: string) {
  return await db
    .select(CONNECTION)
    .from(oauthGrants)
    .innerJoin(oauthClients, eq(oauthClients.id, oauthGrants.clientId))
    .innerJoin(apiKeys, eq(apiKeys.id, oauthGrants.keyId))
    .where(and(eq(oauthGrants.userId, userId), isNull(apiKeys.revokedAt)))
    .orderBy(desc(oauthGrants.id));
}

/**
 * Sets what the key of a person's grant may still spend; null: no credit limit.
 * @returns false if there is no such grant
 */
export async function updateGrantCredits(
  db: Executor,
  { userId, grantId, creditsMicrousd }: { userId: string; grantId: string; creditsMicrousd: Microusd | null },
): Promise<boolean> {
  const total = sql`${apiKeys.creditsUsedMicrousd} + ${apiKeys.creditsHeldMicrousd} + ${String(creditsMicrousd ?? 0n)}::bigint`;
  const rows = await db
    .update(apiKeys)
    .set({ creditsMicrousd: creditsMicrousd === null ? null : total })
    .where(
      and(
        eq(apiKeys.kind, 'oauth'),
        isNull(apiKeys.revokedAt),
        sql`${apiKeys.id} = (select g.key_id from oauth_grants g where g.id = ${grantId} and g.user_id = ${userId})`,
      ),
    )
    .returning({ id: apiKeys.id });
  return rows.length > 0;
}

import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { apiKeys } from '@/db/schema/keys';

export type KeyRow = typeof apiKeys.$inferSelect;

export async function insertKey(tx: Executor, row: typeof apiKeys.$inferInsert): Promise<KeyRow> {
  const [inserted] = await tx.insert(apiKeys).values(row).returning();
  return inserted as KeyRow;
}

/** Matches API keys only: not the playground's key, not the keys of applications. */
function issuedTo(accountId: string) {
  return and(eq(apiKeys.accountId, accountId), eq(apiKeys.kind, 'api'));
}

export async function listKeys(db: Executor, accountId: string): Promise<KeyRow[]> {
  return await db.select().from(apiKeys).where(issuedTo(accountId)).orderBy(desc(apiKeys.id));
}

export async function countActiveKeys(db: Executor, accountId: string): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(apiKeys)
    .where(and(issuedTo(accountId), isNull(apiKeys.revokedAt)));
  return row?.count ?? 0;
}

export async function findKey(db: Executor, accountId: string, id: string): Promise<KeyRow | null> {
  const [row] = await db
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), eq(apiKeys.accountId, accountId)));
  return row ?? null;
}

export async function findKeyById(db: Executor, id: string): Promise<KeyRow | null> {
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, id));
  return row ?? null;
}

/**
 * Revokes an active key.
 * @returns null if there is none
 */
export async function revokeLiveKey(db: Executor, accountId: string, id: string): Promise<KeyRow | null> {
  const [row] = await db
    .update(apiKeys)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(apiKeys.id, id), issuedTo(accountId), isNull(apiKeys.revokedAt)))
    .returning();
  return row ?? null;
}

/**
 * Raises the allowance of an active key. A key without one gets `amount` on top of what it has
 * spent.
 * @returns null if there is none
 */
export async function raiseCredits(
  db: Executor,
  accountId: string,
  id: string,
  amount: bigint,
): Promise<KeyRow | null> {
  const [row] = await db
    .update(apiKeys)
    .set({
      creditsMicrousd: sql`coalesce(${apiKeys.creditsMicrousd}, ${apiKeys.creditsUsedMicrousd} + ${apiKeys.creditsHeldMicrousd}) + ${amount}::bigint`,
    })
    .where(and(eq(apiKeys.id, id), issuedTo(accountId), isNull(apiKeys.revokedAt)))
    .returning();
  return row ?? null;
}

export async function updateKeyName(
  db: Executor,
  accountId: string,
  id: string,
  name: string,
): Promise<KeyRow | null> {
  const [row] = await db
    .update(apiKeys)
    .set({ name })
    .where(and(eq(apiKeys.id, id), issuedTo(accountId)))
    .returning();
  return row ?? null;
}

/**
 * Sets whether an active key may manage its account.
 * @returns null if there is none
 */
export async function updateManagesAccount(
  tx: Executor,
  accountId: string,
  id: string,
  managesAccount: boolean,
): Promise<KeyRow | null> {
  const [row] = await tx
    .update(apiKeys)
    .set({ managesAccount })
    .where(and(eq(apiKeys.id, id), issuedTo(accountId), isNull(apiKeys.revokedAt)))
    .returning();
  return row ?? null;
}

import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { apiKeys } from '@/db/schema/keys';

export type KeyRow = typeof apiKeys.$inferSelect;

type NewKeyRow = Omit<typeof apiKeys.$inferInsert, 'spendSince'> & KeyColumns;

export async function insertKey(tx: Executor, row: NewKeyRow): Promise<KeyRow> {
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

/** Lists the active keys that have spent or hold at least this share of a limit of theirs. */
export async function listNearlySpent(db: Executor, accountId: string, share: number): Promise<KeyRow[]> {
  const { creditsMicrousd, creditsUsedMicrousd, creditsHeldMicrousd, spendMicrousd, spendLimitMicrousd } =
    apiKeys;
  return await db
    .select()
    .from(apiKeys)
    .where(
      and(
        issuedTo(accountId),
        isNull(apiKeys.revokedAt),
        sql`(${creditsUsedMicrousd} + ${creditsHeldMicrousd} >= ${share}::float8 * ${creditsMicrousd}
          or ${spendMicrousd} >= ${share}::float8 * ${spendLimitMicrousd})`,
      ),
    );
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

/** An active key and when it expires. */
export interface ExpiringKey extends Pick<KeyRow, 'id' | 'accountId' | 'name' | 'mask'> {
  expiresAt: Date;
}

/** Lists the active keys that expire in more than `from` and at most `to` hours. */
export async function listExpiringKeys(db: Executor, from: number, to: number): Promise<ExpiringKey[]> {
  const { id, accountId, name, mask, expiresAt, revokedAt } = apiKeys;
  const rows = await db
    .select({ id, accountId, name, mask, expiresAt })
    .from(apiKeys)
    .where(
      and(
        isNull(revokedAt),
        sql`${expiresAt} > now() + ${from} * interval '1 hour' and ${expiresAt} <= now() + ${to} * interval '1 hour'`,
      ),
    );
  return rows.flatMap((row) => (row.expiresAt ? [{ ...row, expiresAt: row.expiresAt }] : []));
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
 * Raises the credit limit of an active key. A key without one gets `amount` on top of what it has
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
      rulesVersion: sql`${apiKeys.rulesVersion} + 1`,
    })
    .where(and(eq(apiKeys.id, id), issuedTo(accountId), isNull(apiKeys.revokedAt)))
    .returning();
  return row ?? null;
}

/** Sets the credit limit of a locked key; null: none. */
export async function setCredits(tx: Executor, id: string, microusd: bigint | null): Promise<KeyRow> {
  const set = { creditsMicrousd: microusd, rulesVersion: sql`${apiKeys.rulesVersion} + 1` };
  const [row] = await tx.update(apiKeys).set(set).where(eq(apiKeys.id, id)).returning();
  return row as KeyRow;
}

/** Locks an API key until the end of the transaction; null if there is none. */
export async function lockKey(tx: Executor, accountId: string, id: string): Promise<KeyRow | null> {
  const [row] = await tx
    .select()
    .from(apiKeys)
    .where(and(eq(apiKeys.id, id), issuedTo(accountId)))
    .for('no key update');
  return row ?? null;
}

/** The columns of a key that its owner sets. */
export type KeyColumns = Partial<
  Pick<
    typeof apiKeys.$inferInsert,
    | 'name'
    | 'expiresAt'
    | 'allowedTools'
    | 'allowedIps'
    | 'rateLimits'
    | 'concurrencyLimit'
    | 'spendLimitMicrousd'
    | 'spendPeriod'
    | 'spendMicrousd'
    | 'spendCeilingMicrousd'
    | 'tags'
  >
> & { spendSince?: SQL | null };

/** The time of a spending limit that begins: read after the lock of the key. */
export const SPEND_BEGINS = sql`clock_timestamp()`;

/** Changes a locked key; requests that were checked against its older rules are checked again. */
export async function updateKeyColumns(tx: Executor, id: string, columns: KeyColumns): Promise<KeyRow> {
  const [row] = await tx
    .update(apiKeys)
    .set({ ...columns, rulesVersion: sql`${apiKeys.rulesVersion} + 1` })
    .where(eq(apiKeys.id, id))
    .returning();
  return row as KeyRow;
}

/**
 * Replaces the secret of an active key. The current one works for `graceSeconds` more; one from an
 * earlier rotation does not.
 * @returns null if there is none
 */
export async function replaceSecret(
  tx: Executor,
  { accountId, id, keyHash, mask, graceSeconds }: NewSecret,
): Promise<KeyRow | null> {
  const hasGrace = graceSeconds > 0;
  const [row] = await tx
    .update(apiKeys)
    .set({
      keyHash,
      mask,
      previousKeyHash: hasGrace ? sql`${apiKeys.keyHash}` : null,
      previousExpiresAt: hasGrace
        ? sql`clock_timestamp() + make_interval(secs => ${graceSeconds}::int)`
        : null,
      rulesVersion: sql`${apiKeys.rulesVersion} + 1`,
    })
    .where(and(eq(apiKeys.id, id), issuedTo(accountId), isNull(apiKeys.revokedAt)))
    .returning();
  return row ?? null;
}

interface NewSecret {
  accountId: string;
  id: string;
  keyHash: Buffer;
  mask: string;
  graceSeconds: number;
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

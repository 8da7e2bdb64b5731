import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { apiKeys } from '@/db/schema/keys';

type NewKey = Pick<typeof apiKeys.$inferInsert, 'id' | 'accountId' | 'name' | 'keyHash' | 'mask'>;

/** Finds the hash of the playground key of an account; null if there is none yet. */
export async function findPlaygroundHash(db: Executor, accountId: string): Promise<Buffer | null> {
  const [row] = await db
    .select({ keyHash: apiKeys.keyHash })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.kind, 'playground')));
  return row?.keyHash ?? null;
}

/** Does nothing if a concurrent request has created it: an account has one. */
export async function insertPlaygroundKey(db: Executor, key: NewKey): Promise<void> {
  await db
    .insert(apiKeys)
    .values({ ...key, kind: 'playground' })
    .onConflictDoNothing();
}

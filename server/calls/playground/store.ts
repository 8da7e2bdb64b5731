import { and, eq } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { apiKeys } from '@/db/schema/keys';

type NewKey = Pick<typeof apiKeys.$inferInsert, 'id' | 'accountId' | 'name' | 'keyHash' | 'mask'>;

/** The hash of the account's key of the playground; null where it has none yet. */
export async function findPlaygroundHash(db: Executor, accountId: string): Promise<Buffer | null> {
  const [row] = await db
    .select({ keyHash: apiKeys.keyHash })
    .from(apiKeys)
    .where(and(eq(apiKeys.accountId, accountId), eq(apiKeys.kind, 'playground')));
  return row?.keyHash ?? null;
}

/** Does nothing where another request has just made it: an account has one. */
export async function insertPlaygroundKey(db: Executor, key: NewKey): Promise<void> {
  await db
    .insert(apiKeys)
    .values({ ...key, kind: 'playground' })
    .onConflictDoNothing();
}

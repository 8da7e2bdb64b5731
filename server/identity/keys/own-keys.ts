import { eq, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { apiKeys } from '@/db/schema/keys';

/**
 * Locks the keys of a person's own account and of the teams they own, in id order, before the
 * accounts are locked.
 */
export async function lockOwnedKeys(tx: Executor, userId: string): Promise<void> {
  await tx
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(sql`${apiKeys.accountId} in (select a.id from accounts a where a.owner_user_id = ${userId})`)
    .orderBy(apiKeys.id)
    .for('no key update');
}

/** Revokes all keys of an account whose keys are locked. */
export async function revokeKeysOf(tx: Executor, accountId: string): Promise<void> {
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`coalesce(${apiKeys.revokedAt}, now())` })
    .where(eq(apiKeys.accountId, accountId));
}

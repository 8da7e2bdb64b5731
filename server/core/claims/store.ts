import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';

/** The nonce of an account that still waits to be claimed. */
export async function findClaimNonce(db: Executor, accountId: string): Promise<string | null> {
  const [row] = await db
    .select({ nonce: accounts.claimNonce })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.claimedAt)));
  return row?.nonce ?? null;
}

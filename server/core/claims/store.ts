import { and, eq, isNull } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { accounts } from '@/db/schema/accounts';

/** Reads the claim nonce of an unclaimed account; null if the account is claimed or unknown. */
export async function findClaimNonce(db: Executor, accountId: string): Promise<string | null> {
  const [row] = await db
    .select({ nonce: accounts.claimNonce })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.claimedAt)));
  return row?.nonce ?? null;
}

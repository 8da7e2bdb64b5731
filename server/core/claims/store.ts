import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, text } from '@/db/rows';

const nonceRow = defineRow({ nonce: text().nullable() });

/** Reads the claim nonce of an unclaimed account; null if the account is claimed or unknown. */
export async function findClaimNonce(db: Executor, accountId: string): Promise<string | null> {
  const [row] = await nonceRow.read(
    db.execute(sql`select claim_nonce as nonce from accounts where id = ${accountId} and claimed_at is null`),
  );
  return row?.nonce ?? null;
}

import type { Executor } from '@/db/client';
import { findPersonalAccount, updateAccountName } from './store';

/**
 * Renames a person's account that is named like their previous address, because they gave no name.
 * @returns the id of the account; null if it is closed
 */
export async function followEmail(
  tx: Executor,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<string | null> {
  const account = await findPersonalAccount(tx, userId);
  if (account?.name === from) await updateAccountName(tx, account.id, to);
  return account?.id ?? null;
}

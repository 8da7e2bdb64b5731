import type { Executor } from '@/db/client';
import { newId } from '../../kit/ids';
import { findPersonalAccount, insertMembership, insertPersonalAccount } from './store';

/** Returns a person's personal account, creating it on first use. */
export async function openPersonalAccount(
  tx: Executor,
  user: { id: string; name?: string | null | undefined; email: string },
): Promise<{ id: string; opened: boolean }> {
  const existing = await findPersonalAccount(tx, user.id);
  if (existing) return { id: existing.id, opened: false };
  const id = newId('account');
  const name = user.name ?? user.email;
  if (await insertPersonalAccount(tx, { id, type: 'personal', name, ownerUserId: user.id })) {
    await insertMembership(tx, { accountId: id, userId: user.id, role: 'owner' });
    return { id, opened: true };
  }
  // A concurrent sign-in created the account.
  const other = await findPersonalAccount(tx, user.id);
  if (!other) throw new Error('The account of this person is closed');
  return { id: other.id, opened: false };
}

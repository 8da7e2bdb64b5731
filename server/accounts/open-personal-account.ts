import type { Executor } from '@/db/client';
import { newId } from '../ids';
import { findPersonalAccount, insertAccount, insertMembership } from './store';

/** The personal account of a person, opened the first time it is asked for. */
export async function openPersonalAccount(
  tx: Executor,
  user: { id: string; name?: string | null; email: string },
): Promise<{ id: string; opened: boolean }> {
  const existing = await findPersonalAccount(tx, user.id);
  if (existing) return { id: existing.id, opened: false };
  const id = newId('account');
  await insertAccount(tx, { id, type: 'personal', name: user.name ?? user.email, ownerUserId: user.id });
  await insertMembership(tx, { accountId: id, userId: user.id, role: 'owner' });
  return { id, opened: true };
}

import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { listChargeableAccounts } from './store';

/** The actor's role in an account: their own, or one of their teams; null for any other. */
export async function findRole(
  runtime: Pick<Runtime, 'db'>,
  actor: Actor,
  accountId: string,
): Promise<'owner' | 'admin' | 'member' | null> {
  const rows = await listChargeableAccounts(runtime.db, actor.accountId);
  return rows.find(({ id }) => id === accountId)?.role ?? null;
}

import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { listChargeableAccounts } from './store';

/** The accounts whose usage the actor may see, with their role: their own first, then teams. */
export async function listViewableAccounts(
  runtime: Pick<Runtime, 'db'>,
  actor: Pick<Actor, 'accountId'>,
): Promise<{ id: string; slug: string | null; name: string; role: 'owner' | 'admin' | 'member' }[]> {
  const rows = await listChargeableAccounts(runtime.db, actor.accountId);
  return rows.map(({ id, slug, name, role }) => ({ id, slug, name, role }));
}

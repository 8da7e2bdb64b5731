import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { listChargeableAccounts } from './store';

/** The accounts of which the actor may see the usage: their own first, then their teams. */
export async function listViewableAccounts(
  runtime: Pick<Runtime, 'db'>,
  actor: Pick<Actor, 'accountId'>,
): Promise<{ id: string; slug: string | null; name: string }[]> {
  const rows = await listChargeableAccounts(runtime.db, actor.accountId);
  return rows.map(({ id, slug, name }) => ({ id, slug, name }));
}

import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { describeAccountRequirement } from './describe-requirement';
import type { AccountRequirement } from './schema';
import { listCredentials } from './store';

/** Lists all providers with the values that the caller's account has saved, masked. */
export async function listAccountRequirements(
  runtime: Pick<Runtime, 'catalog' | 'db' | 'slots'>,
  actor: Actor,
): Promise<{ requirements: AccountRequirement[] }> {
  const rows = await listCredentials(runtime.db, actor.accountId);
  return {
    requirements: runtime.slots.all().map(({ slot }) =>
      describeAccountRequirement(
        runtime,
        slot,
        rows.filter((row) => row.slot === slot),
      ),
    ),
  };
}

import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { describeAccountRequirement } from './describe-requirement';
import type { AccountRequirement } from './schema';
import { listCredentials } from './store';

/** Every slot with what the asker's account has saved in it, masked. */
export async function listAccountRequirements(
  runtime: Runtime,
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

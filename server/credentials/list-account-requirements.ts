import type { Actor } from '../auth/actor';
import type { Runtime } from '../runtime';
import { SLOTS } from '../tools/providers';
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
    requirements: SLOTS.map((slot) =>
      describeAccountRequirement(
        runtime,
        slot,
        rows.filter((row) => row.slot === slot),
      ),
    ),
  };
}

import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { lockOwnedKeys } from '../keys/own-keys';
import { closeLockedTeam } from './close-locked-team';
import { lockTeam } from './lock-team';

/**
 * Deletes a team, for its owner: its keys are revoked, and the next request charged to it is
 * refused.
 * @throws GatewayError FORBIDDEN while it has credit, debt, running calls, a dispute or an
 *   unfinished payment, or is frozen
 */
export async function removeTeam(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  slug: string,
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    await lockOwnedKeys(tx, actor.userId);
    const { team } = await lockTeam(tx, actor, slug, 'owner');
    await closeLockedTeam(tx, actorName(actor), team);
  });
  return { success: true };
}

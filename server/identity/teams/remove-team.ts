import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { closeWithin } from './close-within';
import { lockTeam } from './lock-team';

/**
 * Deletes a team, for its owner: agents that name it are refused from their next request on.
 * @throws GatewayError FORBIDDEN while anything is unsettled: credit, debt, running calls, a
 *   dispute, an unfinished payment, or a freeze by the operator
 */
export async function removeTeam(
  runtime: Runtime,
  actor: SessionActor,
  slug: string,
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const { team } = await lockTeam(tx, actor, slug, 'owner');
    await closeWithin(tx, actorName(actor), team);
  });
  return { success: true };
}

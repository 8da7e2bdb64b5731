import { actorName, type SessionActor } from '../auth/actor';
import { formatUsd } from '../billing/money';
import type { Runtime } from '../runtime';
import { closeWithin } from './close-within';
import { type LockedAccount, lockTeam } from './lock-team';
import { refused } from './refusal';

/**
 * Deletes a team, for its owner: agents that name it are refused from their next request on.
 * @throws GatewayError FORBIDDEN while anything is unsettled: credit, debt, running calls, a dispute, an unfinished
 *   payment, or a freeze by the operator
 */
export async function removeTeam(
  runtime: Runtime,
  actor: SessionActor,
  slug: string,
): Promise<{ success: true }> {
  await runtime.db.transaction(async (tx) => {
    const { team } = await lockTeam(tx, actor, slug, 'owner');
    refuseUnsettled(team);
    await closeWithin(tx, actorName(actor), team);
  });
  return { success: true };
}

/** What must not be got rid of with the team. It does not keep a person from deleting their own account. */
function refuseUnsettled({ name, frozenAt, disputedAt, debtMicrousd: debt }: LockedAccount): void {
  if (frozenAt) throw refused(`${name} is frozen.`, 'Ask the operator of this gateway.');
  if (disputedAt) throw refused(`A payment for ${name} is disputed.`, 'Wait until it is decided.');
  if (debt > 0n)
    throw refused(`${name} owes ${formatUsd(debt)}.`, 'Buy credit for it: that pays the debt first.');
}

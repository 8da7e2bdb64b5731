import type { SessionActor } from '../auth/actor';
import { microusdFromUsd } from '../billing/money';
import { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { updateGrantCredits } from './store';

/**
 * Sets what an application may spend from now on: dollars, null for no limit but the balance.
 * @throws GatewayError NOT_FOUND, also for somebody else's
 */
export async function limitConnection(
  { db }: Runtime,
  actor: SessionActor,
  { id, credits }: { id: string; credits: number | null },
): Promise<{ success: true }> {
  const creditsMicrousd = credits === null ? null : microusdFromUsd(credits);
  if (!(await updateGrantCredits(db, { userId: actor.userId, grantId: id, creditsMicrousd })))
    throw new GatewayError('NOT_FOUND');
  return { success: true };
}

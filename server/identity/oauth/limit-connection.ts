import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { limitFromUsd } from '../../kit/money';
import { updateGrantCredits } from './store';

/**
 * Sets what an application may spend from now on: dollars, null for no limit but the balance.
 * @throws GatewayError NOT_FOUND, also for another person's grant
 */
export async function limitConnection(
  { db }: Pick<Runtime, 'db'>,
  actor: SessionActor,
  { id, credits }: { id: string; credits: number | null },
): Promise<{ success: true }> {
  const creditsMicrousd = limitFromUsd(credits);
  if (!(await updateGrantCredits(db, { userId: actor.userId, grantId: id, creditsMicrousd })))
    throw new GatewayError('NOT_FOUND');
  return { success: true };
}

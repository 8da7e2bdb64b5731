import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { endGrant } from './end-grant';

/**
 * Disconnects an application: ends its grant.
 * @throws GatewayError NOT_FOUND, also for another person's grant
 */
export async function disconnect(
  { db }: Pick<Runtime, 'db'>,
  actor: SessionActor,
  grantId: string,
): Promise<{ success: true }> {
  const ended = await db.transaction((tx) =>
    endGrant(tx, { userId: actor.userId, grantId }, { actor: actorName(actor), action: 'oauth.disconnect' }),
  );
  if (!ended) throw new GatewayError('NOT_FOUND');
  return { success: true };
}

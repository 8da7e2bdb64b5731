import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { deleteReview } from './store';

/**
 * Takes back what the asker's account has said of a tool, also of one that has gone.
 * @throws GatewayError NOT_FOUND where it has said nothing
 */
export async function removeReview(
  { db, facts }: Runtime,
  { accountId }: Pick<Actor, 'accountId'>,
  tool: string,
): Promise<{ success: true; tool: string }> {
  if (!(await deleteReview(db, accountId, tool)))
    throw new GatewayError('NOT_FOUND', { message: 'You have not rated this tool.' });
  await facts.refreshRating(tool);
  return { success: true, tool };
}

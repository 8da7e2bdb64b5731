import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { deleteReview } from './store';

/**
 * Deletes the caller's review of a tool, also of a removed tool.
 * @throws GatewayError NOT_FOUND if there is none
 */
export async function removeReview(
  { db, facts }: Pick<Runtime, 'db' | 'facts'>,
  { accountId }: Pick<Actor, 'accountId'>,
  tool: string,
): Promise<{ success: true; tool: string }> {
  if (!(await deleteReview(db, accountId, tool)))
    throw new GatewayError('NOT_FOUND', { message: 'You have not rated this tool.' });
  await facts.refreshRating(tool);
  return { success: true, tool };
}

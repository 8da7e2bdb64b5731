import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { type Actor, getVisibleKeyId } from '../../core/trpc/actor';
import { newId } from '../../kit/ids';
import { toolNotFound } from '../../tools/tool-not-found';
import { consumePostQuota } from './consume-post-quota';
import { describeReview } from './describe-review';
import type { Review } from './schema';
import { hasCalled, upsertReview } from './store';

/**
 * Posts a review, or replaces the account's review of the tool. Free of charge.
 * @throws GatewayError TOOL_NOT_FOUND, RATE_LIMIT_EXCEEDED; KEY_RESTRICTED for a restricted key if
 *   its account has not called the tool successfully
 */
export async function postReview(
  runtime: Pick<Runtime, 'db' | 'facts' | 'tools'>,
  actor: Actor,
  { tool, rating, review }: { tool: string; rating: number; review?: string | undefined },
): Promise<Review> {
  if (!runtime.tools.findTool(tool)) throw toolNotFound(runtime.tools, tool);
  await consumePostQuota(runtime, actor);
  const verified = await hasCalled(runtime.db, actor.accountId, tool);
  if (!verified && getVisibleKeyId(actor) !== null)
    throw new GatewayError('KEY_RESTRICTED', {
      message: 'This key may review only tools that its account has called successfully.',
      hint: `Call ${tool} first.`,
    });
  const row = await upsertReview(runtime.db, {
    id: newId('review'),
    accountId: actor.accountId,
    tool,
    rating,
    review: review ?? null,
  });
  // Unverified reviews do not count in ratings.
  if (verified) await runtime.facts.refreshRating(tool);
  return describeReview(row, verified);
}

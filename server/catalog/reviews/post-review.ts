import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { type Actor, ownKeyOnly } from '../../core/trpc/actor';
import { newId } from '../../kit/ids';
import { toolNotFound } from '../../tools/tool-not-found';
import { describeReview } from './describe-review';
import type { Review } from './schema';
import { hasCalled, upsertReview } from './store';
import { takeReviewPost } from './take-review-post';

/**
 * Rates a tool; free, one a tool and account.
 * @throws GatewayError TOOL_NOT_FOUND, RATE_LIMIT_EXCEEDED; KEY_RESTRICTED for a restricted key
 *   whose account has not called the tool with success
 */
export async function postReview(
  runtime: Runtime,
  actor: Actor,
  { tool, rating, review }: { tool: string; rating: number; review?: string },
): Promise<Review> {
  if (!runtime.tools.findTool(tool)) throw toolNotFound(runtime.tools, tool);
  await takeReviewPost(runtime, actor);
  const verified = await hasCalled(runtime.db, actor.accountId, tool);
  if (!verified && ownKeyOnly(actor) !== null)
    throw new GatewayError('KEY_RESTRICTED', {
      message: 'This key may review only tools that its account has called with success.',
      hint: `Call ${tool} first.`,
    });
  const row = await upsertReview(runtime.db, {
    id: newId('review'),
    accountId: actor.accountId,
    tool,
    rating,
    review: review ?? null,
  });
  // A review that is not verified counts in no rating.
  if (verified) await runtime.facts.refreshRating(tool);
  return describeReview(row, verified);
}

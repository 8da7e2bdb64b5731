import type { Actor } from '../auth/actor';
import { toolNotFound } from '../catalog/tool-not-found';
import { newId } from '../ids';
import type { Runtime } from '../runtime';
import { describeReview } from './describe-review';
import type { Review } from './schema';
import { hasCalled, upsertReview } from './store';

/**
 * Rates a tool; free, one a tool and account.
 * @throws GatewayError TOOL_NOT_FOUND
 */
export async function postReview(
  runtime: Runtime,
  actor: Actor,
  { tool, rating, review }: { tool: string; rating: number; review?: string },
): Promise<Review> {
  if (!runtime.tools.findTool(tool)) throw toolNotFound(runtime.tools, tool);
  const row = await upsertReview(runtime.db, {
    id: newId('review'),
    accountId: actor.accountId,
    tool,
    rating,
    review: review ?? null,
  });
  runtime.facts.forget();
  return describeReview(row, await hasCalled(runtime.db, actor.accountId, tool));
}

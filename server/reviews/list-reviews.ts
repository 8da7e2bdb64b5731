import { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { describeReview } from './describe-review';
import type { PublicReview } from './schema';
import { listReviewsOf } from './store';

const MAX_SHOWN = 100;

/**
 * The latest reviews of a tool, without who wrote them.
 * @throws GatewayError TOOL_NOT_FOUND
 */
export async function listReviews(runtime: Runtime, tool: string): Promise<{ reviews: PublicReview[] }> {
  if (!runtime.tools.findTool(tool)) throw new GatewayError('TOOL_NOT_FOUND');
  const rows = await listReviewsOf(runtime.db, tool, MAX_SHOWN);
  return {
    reviews: rows.map(({ row, verified }) => {
      const { id: _id, ...shown } = describeReview(row, verified);
      return shown;
    }),
  };
}

import type { RequestContext } from '../../core/trpc/context';
import { encodeCursor, invalidCursor, matchCursor, splitPage } from '../../core/trpc/cursor';
import { toolNotFound } from '../../tools/tool-not-found';
import { consumeReadQuota } from './consume-read-quota';
import { describeReview } from './describe-review';
import type { ReviewSort, ToolReviews } from './schema';
import { countListed, countStars, listToolReviews, type ReviewPosition } from './store';

const STARS = [1, 2, 3, 4, 5];

/**
 * Returns a page of a tool's reviews, without their authors, and the distribution of stars.
 * @throws GatewayError TOOL_NOT_FOUND, RATE_LIMIT_EXCEEDED; INVALID_INPUT for an invalid cursor
 */
export async function listReviews(
  context: RequestContext,
  {
    tool,
    sort,
    limit,
    cursor,
  }: { tool: string; sort: ReviewSort; limit: number; cursor?: string | undefined },
): Promise<ToolReviews> {
  const { tools, db } = context.runtime;
  if (!tools.findTool(tool)) throw toolNotFound(tools, tool);
  const after = cursor === undefined ? null : readCursor(cursor);
  await consumeReadQuota(context);
  const [rows, stars, total] = await Promise.all([
    listToolReviews(db, tool, sort, after, limit + 1),
    countStars(db, tool),
    countListed(db, tool),
  ]);
  const { page, last } = splitPage(rows, limit);
  const distribution = STARS.map((rating) => stars.find((row) => row.rating === rating)?.count ?? 0);
  const count = distribution.reduce((sum, each) => sum + each, 0);
  const given = stars.reduce((sum, row) => sum + row.rating * row.count, 0);
  return {
    reviews: page.map(({ row, verified }) => {
      const { id: _id, ...review } = describeReview(row, verified);
      return review;
    }),
    next_cursor: last && encodeCursor(`${last.row.rating} ${last.updatedAt} ${last.row.id}`),
    distribution,
    average: count === 0 ? null : Math.round((given / count) * 100) / 100,
    count,
    total,
  };
}

const CURSOR = /^([1-5]) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{6}Z) (\w{1,80})$/;

function readCursor(cursor: string): ReviewPosition {
  const [, rating, second = '', rest = '', id = ''] = matchCursor(cursor, CURSOR);
  if (isInstant(second)) return { rating: Number(rating), updatedAt: second + rest, id };
  throw invalidCursor();
}

/**
 * Whether PostgreSQL accepts the timestamp. It rejects the year 0 and February 30, which JavaScript
 * reads as March 2.
 */
function isInstant(second: string): boolean {
  const at = new Date(`${second}Z`);
  return !second.startsWith('0000') && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(second);
}

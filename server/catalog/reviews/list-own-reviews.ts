import type { Runtime } from '../../core/runtime';
import type { Actor } from '../../core/trpc/actor';
import { describeReview } from './describe-review';
import type { OwnReviews, ReviewableTool } from './schema';
import { listAccountReviews, listUsedTools } from './store';

/**
 * Lists the tools that the caller's account has used and not rated, and those it has rated.
 * @param asked a further tool to include, from a link
 */
export async function listOwnReviews(
  { db, tools }: Pick<Runtime, 'db' | 'tools'>,
  { accountId }: Pick<Actor, 'accountId'>,
  asked?: string,
): Promise<OwnReviews> {
  const [used, rows] = await Promise.all([listUsedTools(db, accountId), listAccountReviews(db, accountId)]);
  const byTool = new Map(used.map((use) => [use.tool, use]));
  const rated = new Set(rows.map((row) => row.tool));
  const describe = (name: string): ReviewableTool => {
    const tool = tools.findTool(name);
    const use = byTool.get(name);
    return {
      tool: name,
      display_name: tool?.displayName ?? name,
      subtitle: tool?.subtitle ?? '',
      calls: use?.calls ?? 0,
      verified: use?.verified ?? false,
      last_used_at: use?.last_used_at.toISOString() ?? null,
    };
  };
  return {
    // A removed tool cannot be rated.
    to_rate: used
      .filter(({ tool }) => !rated.has(tool) && tools.findTool(tool))
      .map(({ tool }) => describe(tool)),
    reviewed: rows.map((row) => ({
      ...describe(row.tool),
      review: describeReview(row, byTool.get(row.tool)?.verified ?? false),
      available: tools.findTool(row.tool) !== undefined,
    })),
    asked: asked !== undefined && tools.findTool(asked) ? describe(asked) : null,
  };
}

import { z } from 'zod';
import { openProcedure, router } from '../core/trpc/procedures';
import { describeApi } from './api-reference';
import { findComparison, listComparisons } from './comparison';
import { findGuide, listGuides } from './get-guide';
import { MAX_QUERY_LENGTH } from './limits';
import { searchGuides } from './search-guides';

/**
 * The documentation for the pages. Programs read text: /llms.txt, /docs/<guide>.md, /openapi.json.
 */
export const guidesRouter = router({
  list: openProcedure.query(({ ctx }) => listGuides(ctx.runtime)),
  find: openProcedure
    .input(z.object({ name: z.string().max(64) }))
    .query(({ ctx, input }) => findGuide(ctx.runtime, input.name)),
  comparisons: openProcedure.query(({ ctx }) => listComparisons(ctx.runtime)),
  comparison: openProcedure
    .input(z.object({ slug: z.string().max(64) }))
    .query(({ ctx, input }) => findComparison(ctx.runtime, input.slug)),
  api: openProcedure.query(({ ctx }) => describeApi(ctx.runtime.settings.baseUrl)),
  search: openProcedure
    .input(z.object({ q: z.string().trim().min(1).max(MAX_QUERY_LENGTH) }))
    .query(({ ctx, input }) => searchGuides(ctx.runtime, input.q)),
});

import { postReviewInput } from '../../../catalog/reviews/schema';
import { defineMcpTool } from '../define-mcp-tool';
import { invokeProcedure } from '../invoke-procedure';
import { buildResult } from '../tool-result';

/** Posts a review of a tool. */
export const reviewTool = defineMcpTool({
  name: 'review_tool',
  title: 'Review a tool',
  description:
    'Rate a tool with 1 to 5 stars, and say why, after you have used it. Free. One review per tool and account: posting again replaces it.',
  input: postReviewInput,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, review) {
    return buildResult(call, await invokeProcedure(call, 'reviews.post', review));
  },
});

import { postReviewInput, reviewSchema } from '../../../catalog/reviews/schema';
import { askProcedure } from '../ask-procedure';
import { defineMcpTool } from '../define-mcp-tool';
import { resultOf } from '../tool-result';

/** Posts a review of a tool. */
export const reviewTool = defineMcpTool({
  name: 'review_tool',
  title: 'Review a tool',
  description:
    'Rate a tool with 1 to 5 stars, and say why, after you have used it. Free. One review per tool and account: posting again replaces it.',
  input: postReviewInput,
  output: reviewSchema,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  needsKey: true,
  async run(call, review) {
    return resultOf(call, await askProcedure(call, 'reviews.post', review));
  },
});

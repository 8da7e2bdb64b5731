import { accountProcedure, router } from '../trpc/procedures';
import { postReview } from './post-review';
import { postReviewInput, reviewSchema } from './schema';

export const reviewsRouter = router({
  post: accountProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/reviews',
        operationId: 'postReview',
        tags: ['Reviews'],
        summary: 'Review a tool',
        description: 'Free. One a tool and account: posting again changes it.',
        protect: true,
      },
      rest: { errors: ['INVALID_INPUT', 'AUTH_REQUIRED', 'AUTH_FAILED', 'TOOL_NOT_FOUND'] },
    })
    .input(postReviewInput)
    .output(reviewSchema)
    .mutation(({ ctx, input }) => postReview(ctx.runtime, ctx.actor, input)),
});

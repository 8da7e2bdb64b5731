import { accountProcedure, openProcedure, router, sessionProcedure } from '../../core/trpc/procedures';
import { listOwnReviews } from './list-own-reviews';
import { listReviews } from './list-reviews';
import { postReview } from './post-review';
import { removeReview } from './remove-review';
import {
  ownReviewsInput,
  ownReviewsSchema,
  postReviewInput,
  removedReviewSchema,
  reviewableInput,
  reviewSchema,
  toolReviewsInput,
  toolReviewsSchema,
} from './schema';

export const reviewsRouter = router({
  post: accountProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/reviews',
        operationId: 'postReview',
        tags: ['Reviews'],
        summary: 'Review a tool',
        description:
          'Posts a review, free of charge. An account has one review per tool: posting again replaces it.',
        protect: true,
      },
      rest: {
        fromModels: true,
        errors: [
          'INVALID_INPUT',
          'AUTH_REQUIRED',
          'AUTH_FAILED',
          'KEY_RESTRICTED',
          'TOOL_NOT_FOUND',
          'RATE_LIMIT_EXCEEDED',
        ],
      },
    })
    .input(postReviewInput)
    .output(reviewSchema)
    .mutation(({ ctx, input }) => postReview(ctx.runtime, ctx.actor, input)),

  ofTool: openProcedure
    .input(toolReviewsInput)
    .output(toolReviewsSchema)
    .query(({ ctx, input }) => listReviews(ctx, input)),

  own: sessionProcedure
    .input(ownReviewsInput)
    .output(ownReviewsSchema)
    .query(({ ctx, input }) => listOwnReviews(ctx.runtime, ctx.actor, input.tool)),

  remove: sessionProcedure
    .input(reviewableInput)
    .output(removedReviewSchema)
    .mutation(({ ctx, input }) => removeReview(ctx.runtime, ctx.actor, input.tool)),
});

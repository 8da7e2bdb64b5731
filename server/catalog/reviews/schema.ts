import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';
import { MAX_REVIEW_LENGTH } from './limits';

export const reviewSchema = z
  .looseObject({
    id: z.string(),
    tool: z.string(),
    rating: z.int().min(1).max(5),
    review: z.string().nullable(),
    verified: z.boolean().describe('Whether the account has called the tool successfully.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Review' });

export const postReviewInput = strictInput({
  tool: z.string().min(1).max(64).describe('The name of the tool.'),
  rating: z.int().min(1).max(5).describe('Stars, an integer from 1 to 5.'),
  review: z.string().max(MAX_REVIEW_LENGTH).optional().describe('In your own words; plain text.'),
}).meta({ id: 'ReviewRequest', example: { tool: 'text', rating: 5, review: 'Exact and fast.' } });

/** A review on the tool's page: its author is private. */
export const publicReviewSchema = reviewSchema.omit({ id: true });

export const REVIEW_SORTS = ['newest', 'highest', 'lowest'] as const;

export const toolReviewsInput = z.object({
  tool: z.string().min(1).max(64),
  sort: z.enum(REVIEW_SORTS).default('newest'),
  limit: z.int().min(1).max(50).default(10),
  cursor: z.string().max(200).optional(),
});

export const toolReviewsSchema = z.object({
  reviews: z.array(publicReviewSchema),
  next_cursor: z.string().nullable(),
  /** The number of reviews with 1, 2, 3, 4 and 5 stars. */
  distribution: z.array(z.int()).length(5),
  /**
   * Average of the reviews that count: by people with a claimed account who have called the tool.
   */
  average: z.number().nullable(),
  count: z.int(),
  /** All listed reviews, on all pages. */
  total: z.int(),
});

const reviewableToolSchema = z.object({
  tool: z.string(),
  display_name: z.string(),
  subtitle: z.string(),
  calls: z.int(),
  /** Whether one of the calls succeeded: then the review is marked as verified. */
  verified: z.boolean(),
  /** To the hour, never in the future. */
  last_used_at: z.iso.datetime().nullable(),
});

/** `tool`: a further tool to rate, from a link. */
export const ownReviewsInput = z.object({ tool: z.string().max(64).optional() });

/** A person's used and rated tools. */
export const ownReviewsSchema = z.object({
  /** Used and not rated, most recently used first. */
  to_rate: z.array(reviewableToolSchema),
  /** Rated, latest first; `available` is false if the tool was removed. */
  reviewed: z.array(reviewableToolSchema.extend({ review: reviewSchema, available: z.boolean() })),
  /** The tool of the request; null if there is none of this name. */
  asked: reviewableToolSchema.nullable(),
});

export const reviewableInput = z.object({ tool: z.string().min(1).max(64) });
export const removedReviewSchema = z.object({ success: z.literal(true), tool: z.string() });

export type Review = z.infer<typeof reviewSchema>;
export type PublicReview = z.infer<typeof publicReviewSchema>;
export type ToolReviews = z.infer<typeof toolReviewsSchema>;
export type ReviewSort = (typeof REVIEW_SORTS)[number];
export type ReviewableTool = z.infer<typeof reviewableToolSchema>;
export type OwnReviews = z.infer<typeof ownReviewsSchema>;
export type ReviewedTool = OwnReviews['reviewed'][number];

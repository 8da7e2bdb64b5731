import { z } from 'zod';
import { strictInput } from '../../kit/strict-input';

export const reviewSchema = z
  .looseObject({
    id: z.string(),
    tool: z.string(),
    rating: z.int().min(1).max(5),
    review: z.string().nullable(),
    verified: z.boolean().describe('Whether this account has called the tool with success.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Review' });

export const postReviewInput = strictInput({
  tool: z.string().min(1).max(64).describe('The name of the tool.'),
  rating: z.int().min(1).max(5).describe('Whole stars, 1 to 5.'),
  review: z.string().max(5000).optional().describe('In your own words; plain text.'),
}).meta({ id: 'ReviewRequest', example: { tool: 'text', rating: 5, review: 'Exact and fast.' } });

/** A review as the tool's page shows it: by whom stays private. */
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
  /** How many gave 1, 2, 3, 4 and 5 stars. */
  distribution: z.array(z.int()).length(5),
  /** Of those that count: of claimed people who have called the tool. */
  average: z.number().nullable(),
  count: z.int(),
  /** All that are listed, page by page. */
  total: z.int(),
});

const reviewableToolSchema = z.object({
  tool: z.string(),
  display_name: z.string(),
  subtitle: z.string(),
  calls: z.int(),
  /** Whether one of the calls succeeded: a review of it is marked as verified. */
  verified: z.boolean(),
  /** To the hour, and never in the future. */
  last_used_at: z.iso.datetime().nullable(),
});

/** A tool that a link asks to rate, beside those that were used. */
export const ownReviewsInput = z.object({ tool: z.string().max(64).optional() });

/** What a person has used and said. */
export const ownReviewsSchema = z.object({
  /** Used and not rated yet, the latest used first. */
  to_rate: z.array(reviewableToolSchema),
  /** Rated, the latest first; `available` is false where the tool has gone. */
  reviewed: z.array(reviewableToolSchema.extend({ review: reviewSchema, available: z.boolean() })),
  /** The tool that was asked for; null where there is none of that name. */
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

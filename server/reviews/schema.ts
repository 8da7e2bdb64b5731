import { z } from 'zod';

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

export const postReviewInput = z
  .object({
    tool: z.string().min(1).max(64).describe('The name of the tool.'),
    rating: z.int().min(1).max(5).describe('Whole stars, 1 to 5.'),
    review: z.string().max(5000).optional().describe('In your own words; plain text.'),
  })
  .meta({ id: 'ReviewRequest', example: { tool: 'text', rating: 5, review: 'Exact and fast.' } });

/** A review as the tool's page shows it: by whom stays private. */
export const publicReviewSchema = reviewSchema.omit({ id: true });

export const toolReviewsSchema = z.object({ reviews: z.array(publicReviewSchema) });

export type Review = z.infer<typeof reviewSchema>;
export type PublicReview = z.infer<typeof publicReviewSchema>;

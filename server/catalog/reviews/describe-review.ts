import type { Review } from './schema';
import type { ReviewRow } from './store';

export function describeReview(row: ReviewRow, verified: boolean): Review {
  return {
    id: row.id,
    tool: row.tool,
    rating: row.rating,
    review: row.review,
    verified,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

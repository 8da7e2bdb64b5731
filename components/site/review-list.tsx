import { BadgeCheck } from 'lucide-react';
import type { Tool } from '@/server/catalog/schema';
import type { PublicReview } from '@/server/reviews/schema';
import { CodeBlock } from '../ui/code-block';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { KEY_VARIABLE } from './call-samples';
import { Rating, Stars } from './rating';

interface ReviewListProps {
  tool: Tool;
  reviews: PublicReview[];
  baseUrl: string;
}

/** What others say; by whom stays private. */
export function ReviewList({ tool, reviews, baseUrl }: ReviewListProps) {
  return (
    <section aria-labelledby="reviews" className="flex flex-col gap-5 border-t pt-8">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id="reviews" className="text-xl">
          Reviews
        </h2>
        {reviews.length > 0 && <Rating rating={tool.rating} className="text-base" />}
      </div>
      {reviews.length === 0 ? (
        <NoReviews tool={tool} baseUrl={baseUrl} />
      ) : (
        <ul className="flex flex-col divide-y border-y">
          {reviews.map((review) => (
            <li key={`${review.created_at} ${review.updated_at}`} className="flex flex-col gap-1.5 py-4">
              <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
                <Stars value={review.rating} />
                {review.verified && (
                  <span
                    className="inline-flex items-center gap-1"
                    title="The reviewer’s account has called this tool with success"
                  >
                    <BadgeCheck aria-hidden className="size-4 text-accent" />
                    Verified
                  </span>
                )}
                <DateTime at={review.updated_at} className="text-muted" />
              </div>
              {review.review && <p className="max-w-2xl whitespace-pre-line">{review.review}</p>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function NoReviews({ tool, baseUrl }: { tool: Tool; baseUrl: string }) {
  const code = [
    `curl ${baseUrl}/v1/reviews \\`,
    `  -H "Authorization: Bearer $${KEY_VARIABLE}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify({ tool: tool.name, rating: 5, review: 'What was it good for?' })}'`,
  ].join('\n');
  return (
    <EmptyState
      title="Nobody has rated it yet"
      className="rounded-lg border"
      action={
        <CodeBlock label="Post a review" samples={[{ language: 'curl', code }]} className="text-left" />
      }
    >
      Posting a review is free. It is marked as verified when its account has called the tool with success.
    </EmptyState>
  );
}

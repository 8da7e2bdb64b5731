import Link from 'next/link';
import type { ToolReviews } from '@/server/catalog/reviews/schema';
import type { Tool } from '@/server/catalog/tools/schema';
import { KEY_VARIABLE } from '../shared/call-samples';
import { VERIFIED } from '../shared/review-item';
import { buttonClass } from '../ui/button-class';
import { CodeBlock } from '../ui/code-block';
import { EmptyState } from '../ui/empty-state';
import { PenLine } from '../ui/icons';
import { ReviewPages } from './review-pages';
import { ReviewSummary } from './review-summary';

interface ReviewListProps {
  tool: Tool;
  reviews: ToolReviews;
  baseUrl: string;
}

/**
 * The reviews of a tool, without their authors. The first page is server-rendered, for clients that
 * do not run scripts.
 */
export function ReviewList({ tool, reviews, baseUrl }: ReviewListProps) {
  return (
    <section aria-labelledby="reviews" className="flex flex-col gap-6 border-t pt-8">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <h2 id="reviews" className="text-xl">
          Reviews
        </h2>
        {/* Signed-out visitors sign in first, then return there. */}
        <Link
          href={`/dashboard/reviews?tool=${encodeURIComponent(tool.name)}`}
          prefetch={false}
          className={buttonClass({})}
        >
          <PenLine aria-hidden />
          Write a review
        </Link>
      </div>
      {reviews.total === 0 ? (
        <NoReviews tool={tool} baseUrl={baseUrl} />
      ) : (
        <>
          <ReviewSummary reviews={reviews} />
          <ReviewPages tool={tool.name} initial={reviews} />
          <p className="text-muted text-sm">{VERIFIED}.</p>
        </>
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
      title="No reviews yet"
      className="rounded-lg border"
      action={
        <CodeBlock label="Post a review" samples={[{ language: 'curl', code }]} className="text-left" />
      }
    >
      Posting a review is free, here or via the API. It is marked as verified if the account has called the
      tool successfully.
    </EmptyState>
  );
}

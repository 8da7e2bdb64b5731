import type { PublicReview } from '@/server/catalog/reviews/schema';
import { DateTime } from '../ui/date-time';
import { BadgeCheck } from '../ui/icons';
import { Stars } from './rating';

/** The meaning of the mark, also for screen readers. */
export const VERIFIED = 'Verified: the reviewer’s account has called this tool successfully';

/** One review. Its author is private. */
export function ReviewItem({ review }: { review: PublicReview }) {
  return (
    <li className="flex flex-col gap-1.5 py-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Stars value={review.rating} />
        {review.verified && <VerifiedMark />}
        <DateTime at={review.updated_at} format="date" className="text-muted" />
      </div>
      {review.review && <p className="max-w-2xl whitespace-pre-line break-words">{review.review}</p>}
    </li>
  );
}

export function VerifiedMark() {
  return (
    <span className="inline-flex items-center gap-1" title={VERIFIED}>
      <BadgeCheck aria-hidden className="size-4 text-accent" />
      Verified
    </span>
  );
}

import type { Tool } from '@/server/catalog/tools/schema';
import { cn } from '../ui/cn';
import { Star } from '../ui/icons';

/** `★ 4.6 (12)`, or `Not rated`. */
export function Rating({ rating, className }: { rating: Tool['rating']; className?: string }) {
  if (rating.average === null || rating.count === 0)
    return <span className={cn('text-muted', className)}>Not rated</span>;
  const average = rating.average.toFixed(1);
  return (
    <span className={cn('inline-flex items-center gap-1 whitespace-nowrap', className)}>
      <Star aria-hidden className="size-3.5 fill-current" />
      <span className="sr-only">
        Rated {average} of 5 by {rating.count}
      </span>
      <span aria-hidden>
        {average} <span className="text-muted">({rating.count})</span>
      </span>
    </span>
  );
}

const STARS = [1, 2, 3, 4, 5];

/** Full stars for one review. */
export function Stars({ value, className }: { value: number; className?: string }) {
  return (
    <span className={cn('inline-flex gap-0.5', className)}>
      <span className="sr-only">{value} of 5 stars</span>
      {STARS.map((star) => (
        <Star
          key={star}
          aria-hidden
          className={cn('size-4', star <= value ? 'fill-current text-ink' : 'text-line-strong')}
        />
      ))}
    </span>
  );
}

/** Stars for an average, the last one partly filled. The number is shown next to them. */
export function PartialStars({ value, className }: { value: number; className?: string }) {
  return (
    <span aria-hidden className={cn('relative inline-flex', className)}>
      <span className="inline-flex gap-0.5 text-line-strong">
        {STARS.map((star) => (
          <Star key={star} className="size-4" />
        ))}
      </span>
      <span
        className="absolute inset-y-0 left-0 inline-flex gap-0.5 overflow-hidden"
        style={{ width: `${(value / STARS.length) * 100}%` }}
      >
        {STARS.map((star) => (
          <Star key={star} className="size-4 shrink-0 fill-current text-ink" />
        ))}
      </span>
    </span>
  );
}

/** A share between 0 and 1 as `98.2%`; never 100% if a call failed. */
export function formatShare(share: number): string {
  const percent = share * 100;
  const shown = percent === 100 || percent === 0 ? percent.toFixed(0) : Math.min(99.9, percent).toFixed(1);
  return `${shown}%`;
}

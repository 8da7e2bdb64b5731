import type { ToolReviews } from '@/server/catalog/reviews/schema';
import { PartialStars } from '../shared/rating';
import { formatNumber } from '../ui/format-number';

const STARS = [5, 4, 3, 2, 1];

/** The average of the reviews that count, and the distribution of their stars. */
export function ReviewSummary({ reviews }: { reviews: ToolReviews }) {
  const { average, count, distribution } = reviews;
  if (average === null) return null;
  return (
    <div className="grid items-center gap-x-10 gap-y-5 sm:grid-cols-[auto_minmax(0,22rem)]">
      <div className="flex items-center gap-4 sm:flex-col sm:items-start sm:gap-1">
        <p className="font-semibold text-3xl">{average.toFixed(1)}</p>
        <div className="flex flex-col gap-1">
          <PartialStars value={average} />
          <p className="text-muted text-sm">
            {formatNumber(count)} {count === 1 ? 'rating' : 'ratings'}
          </p>
        </div>
      </div>
      <dl className="flex flex-col gap-1.5 text-sm" aria-label="Rating distribution">
        {STARS.map((stars) => {
          const given = distribution[stars - 1] ?? 0;
          return (
            <div key={stars} className="grid grid-cols-[3.5rem_minmax(0,1fr)_2.5rem] items-center gap-3">
              <dt className="whitespace-nowrap text-muted">
                {stars} {stars === 1 ? 'star' : 'stars'}
              </dt>
              <dd className="contents">
                <span aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
                  <span
                    className="block h-full rounded-full bg-ink"
                    style={{ width: `${(given / Math.max(1, count)) * 100}%` }}
                  />
                </span>
                <span className="text-right tabular-nums">{formatNumber(given)}</span>
              </dd>
            </div>
          );
        })}
      </dl>
    </div>
  );
}

'use client';

import { useId, useState } from 'react';
import type { UsageSummary } from '@/server/usage/schema';
import { cn } from '../ui/cn';
import { formatMoney } from '../ui/money';
import { formatCount } from './format';

type Bucket = UsageSummary['by_time'][number];
type Metric = 'spend' | 'calls';

interface UsageChartProps {
  buckets: Bucket[];
  metric: Metric;
  /** Hours are written in the reader's zone, days as the UTC days they are counted in. */
  unit: 'hour' | 'day';
  /** What is drawn: "Spend, last 7 days". */
  label: string;
}

const HEIGHT_PX = 168;
/** A value above zero is seen, however small beside the largest. */
const MIN_BAR_PX = 3;

/** Bars over time, drawn by ourselves: a chart library would weigh more than the whole page. */
export function UsageChart({ buckets, metric, unit, label }: UsageChartProps) {
  const [active, setActive] = useState<number | null>(null);
  const readoutId = useId();
  const value = (bucket: Bucket) => (metric === 'spend' ? bucket.cost_usd : bucket.calls);
  const write = (amount: number) => (metric === 'spend' ? formatMoney(amount) : formatCount(amount, 'call'));
  const top = Math.max(0, ...buckets.map(value));
  const slot = 100 / Math.max(1, buckets.length);
  const shown = active === null ? undefined : buckets[active];

  function move(event: React.KeyboardEvent) {
    const last = buckets.length - 1;
    const at = active ?? last + 1;
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setActive(Math.min(last, Math.max(0, next)));
  }

  return (
    <figure className="min-w-0">
      <p id={readoutId} role="status" className="flex h-5 justify-between gap-4 text-sm">
        {shown ? (
          <>
            <span className="text-muted">{writeMoment(shown.at, unit, 'long')}</span>
            <span className="truncate font-medium">
              {formatMoney(shown.cost_usd)} · {formatCount(shown.calls, 'call')}
            </span>
          </>
        ) : (
          <span className="text-muted">{top > 0 ? `Highest: ${write(top)}` : 'Nothing in this period'}</span>
        )}
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a chart that is read with the arrow keys has no element of its own */}
      <div
        role="group"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys walk through the bars
        tabIndex={0}
        aria-label={`${label}. Use the left and right arrow keys to read each bar, or show the table.`}
        className="mt-3 rounded-sm"
        onKeyDown={move}
        onBlur={() => setActive(null)}
        onPointerLeave={() => setActive(null)}
      >
        <svg aria-hidden="true" width="100%" height={HEIGHT_PX} className="block overflow-visible">
          {[0, 0.5, 1].map((share) => (
            <line
              key={share}
              x1="0"
              x2="100%"
              y1={HEIGHT_PX * share}
              y2={HEIGHT_PX * share}
              className="stroke-line"
              strokeDasharray={share === 1 ? undefined : '2 4'}
            />
          ))}
          {buckets.map((bucket, index) => {
            const height = barHeight(value(bucket), top);
            return (
              <g
                key={bucket.at}
                onPointerEnter={() => setActive(index)}
                onPointerDown={() => setActive(index)}
              >
                <rect x={`${index * slot}%`} y="0" width={`${slot}%`} height={HEIGHT_PX} fill="transparent" />
                <rect
                  x={`${(index + 0.15) * slot}%`}
                  width={`${slot * 0.7}%`}
                  y={HEIGHT_PX - height}
                  height={height}
                  rx="2"
                  className={cn(
                    'fill-accent transition-opacity duration-75',
                    active !== null && active !== index && 'opacity-40',
                  )}
                />
              </g>
            );
          })}
        </svg>
      </div>
      <Axis buckets={buckets} unit={unit} />
    </figure>
  );
}

function barHeight(value: number, top: number): number {
  return value <= 0 || top <= 0 ? 0 : Math.max(MIN_BAR_PX, (value / top) * HEIGHT_PX);
}

function Axis({ buckets, unit }: { buckets: Bucket[]; unit: 'hour' | 'day' }) {
  const marks = [buckets[0], buckets[Math.floor((buckets.length - 1) / 2)], buckets.at(-1)];
  return (
    <div
      aria-hidden
      className="mt-2 flex justify-between text-muted text-xs"
      // The server writes hours in UTC, the browser in its own zone.
      suppressHydrationWarning
    >
      {marks.map((bucket, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: three fixed places
        <span key={index} suppressHydrationWarning>
          {bucket && buckets.length > index ? writeMoment(bucket.at, unit, 'short') : ''}
        </span>
      ))}
    </div>
  );
}

/** `14:00` or `Thu 20 Nov, 14:00` for an hour, `20 Nov` or `Thu 20 Nov (UTC)` for a day. */
export function writeMoment(at: string, unit: 'hour' | 'day', length: 'short' | 'long'): string {
  const moment = new Date(at);
  const zone = unit === 'day' ? 'UTC' : undefined;
  const date = moment.toLocaleDateString('en-GB', {
    weekday: length === 'long' ? 'short' : undefined,
    day: 'numeric',
    month: 'short',
    timeZone: zone,
  });
  if (unit === 'day') return length === 'long' ? `${date} (UTC)` : date;
  const time = moment.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return length === 'long' ? `${date}, ${time}` : time;
}

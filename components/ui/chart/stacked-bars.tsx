'use client';

import { type PointerEvent, useId, useState } from 'react';
import { cn } from '../cn';
import { lazyOverlay } from '../lazy-overlay';
import { createScale, type Scale, type Segment, type Series, stackSeries, sumBuckets } from './chart-scale';
import { Legend } from './legend';
import { getSeriesColor } from './series-color';
import { useReadout } from './use-readout';

/** Loaded when a bar is read first. */
const ChartTip = lazyOverlay(() => import('./chart-tip').then((module) => module.ChartTip));

/** A position on the horizontal axis. */
export interface Bucket {
  id: string;
  /** The axis label: `20 Nov`. */
  short: string;
  /** The full label: `Thu 20 Nov, UTC`. */
  long: string;
}

interface StackedBarsProps {
  /** The accessible name: "Spend, last 7 days". */
  label: string;
  buckets: readonly Bucket[];
  /** What the buckets are, and their zone: "Days, UTC". */
  axis: string;
  series: readonly Series[];
  /** Formats a value in full, and in short for the axis. */
  format: (value: number) => string;
  formatTick?: (value: number) => string;
  integer?: boolean;
  heightPx?: number;
}

const HEIGHT_PX = 200;
/** Minimum bar height, so that every value above zero is visible. */
const MIN_BAR_PX = 2;
const GAP = 0.16;

/**
 * A bar chart over time, stacked by series. Laid out in percentages, so that it is server-rendered
 * at any width and does not shift on hydration.
 */
export function StackedBars({ label, buckets, series, format, integer, ...rest }: StackedBarsProps) {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const { active, setActive, move, readLast } = useReadout(buckets.length);
  const readoutId = useId();
  const heightPx = rest.heightPx ?? HEIGHT_PX;
  const shown = series.map((each) => (hidden.has(each.id) ? { ...each, values: [] } : each));
  const totals = sumBuckets(shown, buckets.length);
  const scale = createScale(Math.max(0, ...totals), { whole: integer });
  const bucket = active === null ? undefined : buckets[active];
  const readout = shown.filter(({ id }) => !hidden.has(id)).toReversed();

  function toggle(id: string) {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  }

  function point(event: PointerEvent<HTMLElement>) {
    const box = event.currentTarget.getBoundingClientRect();
    const at = Math.floor(((event.clientX - box.left) / box.width) * buckets.length);
    setActive(Math.min(buckets.length - 1, Math.max(0, at)));
  }

  return (
    <figure className="min-w-0">
      {series.length > 1 && <Legend series={series} hidden={hidden} onToggle={toggle} />}
      <div className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] gap-x-2">
        <Ticks scale={scale} format={rest.formatTick ?? format} heightPx={heightPx} />
        {/* biome-ignore lint/a11y/useSemanticElements: there is no element for a chart navigated with arrow keys */}
        <div
          role="group"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move between the bars
          tabIndex={0}
          aria-label={`${label}. Use the left and right arrow keys to read each bar, or show the table.`}
          className="relative touch-pan-y rounded-sm"
          onKeyDown={move}
          onFocus={readLast}
          onBlur={() => setActive(null)}
          onPointerMove={point}
          onPointerDown={point}
          onPointerLeave={() => setActive(null)}
        >
          <Plot {...{ scale, heightPx, active }} buckets={buckets.length} series={shown} />
          {scale.ticks.length === 1 && (
            <p className="absolute inset-0 flex items-center justify-center text-muted text-sm">
              {hidden.size > 0 ? 'Everything is hidden' : 'Nothing in this period'}
            </p>
          )}
          {bucket && active !== null && (
            <ChartTip
              title={bucket.long}
              at={(active + 0.5) / buckets.length}
              total={format(totals[active] ?? 0)}
              lines={readout.map((each) => ({
                id: each.id,
                name: each.name,
                value: each.values[active] ?? 0,
                text: format(each.values[active] ?? 0),
                color: getSeriesColor(
                  each,
                  series.findIndex(({ id }) => id === each.id),
                ),
              }))}
            />
          )}
        </div>
        <span />
        <AxisLabels buckets={buckets} />
      </div>
      <p className="mt-1 text-right text-muted text-xs">{rest.axis}</p>
      <p id={readoutId} role="status" className="sr-only">
        {bucket &&
          active !== null &&
          formatReadout(bucket, format(totals[active] ?? 0), readout, active, format)}
      </p>
    </figure>
  );
}

function formatReadout(
  bucket: Bucket,
  total: string,
  series: readonly Series[],
  at: number,
  format: (value: number) => string,
): string {
  const parts = series.filter(({ values }) => (values[at] ?? 0) > 0);
  const said = parts.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`);
  return [`${bucket.long}: ${total}`, ...(parts.length > 1 ? said : [])].join(', ');
}

function Ticks({
  scale,
  format,
  heightPx,
}: {
  scale: Scale;
  format: (value: number) => string;
  heightPx: number;
}) {
  return (
    <div
      aria-hidden
      className="relative text-right text-muted text-xs tabular-nums"
      style={{ height: heightPx }}
    >
      {/* The widest label sets the width of the column. */}
      {scale.ticks.map((tick) => (
        <div key={`w${tick}`} className="invisible h-0">
          {format(tick)}
        </div>
      ))}
      {scale.ticks.map((tick) => (
        <div
          key={tick}
          className="absolute right-0 -translate-y-1/2 whitespace-nowrap"
          style={{ top: `${(1 - tick / scale.top) * 100}%` }}
        >
          {format(tick)}
        </div>
      ))}
    </div>
  );
}

interface PlotProps {
  scale: Scale;
  heightPx: number;
  active: number | null;
  buckets: number;
  series: readonly Series[];
}

function Plot({ scale, heightPx, active, buckets, series }: PlotProps) {
  const slot = 100 / Math.max(1, buckets);
  const layers = stackSeries(series, buckets, scale.top);
  return (
    <svg aria-hidden="true" width="100%" height={heightPx} className="block overflow-visible">
      {scale.ticks.map((tick) => {
        const y = heightPx * (1 - tick / scale.top);
        return (
          <line
            key={tick}
            x1="0"
            x2="100%"
            y1={y}
            y2={y}
            className="stroke-line"
            strokeDasharray={tick === 0 ? undefined : '2 4'}
          />
        );
      })}
      {active !== null && (
        <rect x={`${active * slot}%`} width={`${slot}%`} y="0" height={heightPx} className="fill-hover" />
      )}
      {layers.map((layer, place) => {
        const each = series[place];
        return (
          each && (
            <g key={each.id} style={{ fill: getSeriesColor(each, place) }}>
              {layer.map((segment, at) => (
                <Bar
                  // biome-ignore lint/suspicious/noArrayIndexKey: buckets are in chronological order
                  key={at}
                  segment={segment}
                  x={`${(at + GAP / 2) * slot}%`}
                  width={`${slot * (1 - GAP)}%`}
                  heightPx={heightPx}
                  dimmed={active !== null && active !== at}
                />
              ))}
            </g>
          )
        );
      })}
    </svg>
  );
}

interface BarProps {
  segment: Segment;
  x: string;
  width: string;
  heightPx: number;
  dimmed: boolean;
}

function Bar({ segment, x, width, heightPx, dimmed }: BarProps) {
  const height = (segment.to - segment.from) * heightPx;
  if (height <= 0) return null;
  const drawn = segment.from === 0 ? Math.max(MIN_BAR_PX, height) : height;
  return (
    <rect
      x={x}
      width={width}
      y={round(heightPx - segment.from * heightPx - drawn)}
      height={round(drawn)}
      className={cn('transition-opacity duration-75', dimmed && 'opacity-45')}
    />
  );
}

/** Tenths of a pixel are precise enough, and keep the HTML small. */
function round(px: number): number {
  return Math.round(px * 10) / 10;
}

const MOST_LABELS = 7;

/** Labels centred under their bars: all of up to seven, else evenly spaced; fewer on a phone. */
function AxisLabels({ buckets }: { buckets: readonly Bucket[] }) {
  const step = Math.max(1, Math.ceil(buckets.length / MOST_LABELS));
  const count = Math.ceil(buckets.length / step);
  const first = Math.floor((buckets.length - 1 - (count - 1) * step) / 2);
  return (
    <div aria-hidden className="relative mt-1.5 h-4 text-muted text-xs tabular-nums">
      {Array.from({ length: count }, (_, i) => {
        const place = first + i * step;
        return (
          <span
            key={place}
            data-bucket={place}
            className={cn('absolute -translate-x-1/2 whitespace-nowrap', i % 2 === 1 && 'max-sm:hidden')}
            style={{ left: `${((place + 0.5) / buckets.length) * 100}%` }}
          >
            {buckets[place]?.short}
          </span>
        );
      })}
    </div>
  );
}

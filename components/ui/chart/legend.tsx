'use client';

import { cn } from '../cn';
import type { Series } from './chart-scale';
import { getSeriesColor } from './series-color';

interface LegendProps {
  series: readonly Series[];
  hidden: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/** The series in stacking order, from the bottom; each can be hidden and shown. */
export function Legend({ series, hidden, onToggle }: LegendProps) {
  return (
    <ul aria-label="Shown in the chart" className="flex flex-wrap gap-x-1 gap-y-0.5">
      {series.map((each, place) => {
        const shown = !hidden.has(each.id);
        return (
          <li key={each.id}>
            <button
              type="button"
              aria-pressed={shown}
              onClick={() => onToggle(each.id)}
              className={cn(
                'inline-flex min-h-6 items-center gap-1.5 rounded-sm px-1.5 text-xs hover:bg-hover',
                !shown && 'text-muted line-through',
              )}
            >
              <Swatch color={shown ? getSeriesColor(each, place) : 'transparent'} outlined={!shown} />
              {each.name}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

export function Swatch({ color, outlined }: { color: string; outlined?: boolean }) {
  return (
    <svg aria-hidden="true" className="size-2.5 shrink-0" viewBox="0 0 10 10">
      <rect
        x="0.5"
        y="0.5"
        width="9"
        height="9"
        rx="2"
        style={{ fill: color }}
        className={outlined ? 'stroke-line-strong' : undefined}
      />
    </svg>
  );
}

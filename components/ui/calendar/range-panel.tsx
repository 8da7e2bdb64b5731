'use client';

import { useState } from 'react';
import type { DateRange } from 'react-day-picker';
import { Button } from '../button';
import { Calendar } from './calendar';
import { type DayRange, formatDay, formatRange, toDate, toDay } from './days';
import { listPresets } from './presets';

interface RangePanelProps {
  value: DayRange;
  today: string;
  onChange: (range: DayRange) => void;
}

/** The lazily loaded part of `DateRangeFilter`: one click for usual ranges, two for any other. */
export function RangePanel({ value, today, onChange }: RangePanelProps) {
  const [draft, setDraft] = useState<DateRange | undefined>(toDates(value, today));
  const range = draft?.from && { from: toDay(draft.from), to: toDay(draft.to ?? draft.from) };
  return (
    <div className="flex max-sm:flex-col">
      <ul
        aria-label="Common ranges"
        className="gap-1 border-line p-2 max-sm:grid max-sm:grid-cols-3 max-sm:border-b sm:flex sm:flex-col sm:border-r"
      >
        {listPresets(today).map(({ label, ...preset }) => (
          <li key={label}>
            <Button
              size="sm"
              variant="ghost"
              className="w-full justify-start max-sm:px-2 aria-pressed:bg-accent-soft aria-pressed:text-accent"
              aria-pressed={preset.from === value.from && preset.to === value.to}
              onClick={() => onChange(preset)}
            >
              {label}
            </Button>
          </li>
        ))}
      </ul>
      <div className="p-3 pb-0">
        <Calendar
          mode="range"
          today={toDate(today)}
          selected={draft}
          onSelect={setDraft}
          resetOnSelect
          defaultMonth={draft?.to ?? draft?.from ?? toDate(value.to ?? today)}
          endMonth={toDate(today)}
          disabled={{ after: toDate(today) }}
        />
        {/* In sight even if the window is too low for the month. */}
        <div className="sticky bottom-0 bg-raised pt-2 pb-3">
          <p role="status" className="max-w-64 text-muted text-sm">
            {describeDraft(draft)}
          </p>
          <div className="mt-2 flex gap-2">
            <Button size="sm" variant="primary" disabled={!range} onClick={() => range && onChange(range)}>
              Apply
            </Button>
            {(value.from || value.to) && (
              <Button size="sm" variant="ghost" onClick={() => onChange({})}>
                Clear dates
              </Button>
            )}
          </div>
        </div>
      </div>
    </div>
  );
}

function describeDraft(draft: DateRange | undefined): string {
  if (!draft?.from) return 'Choose the first and the last day.';
  const from = toDay(draft.from);
  if (!draft.to) return `${formatDay(from)}. Choose the last day, or apply this one.`;
  return formatRange({ from, to: toDay(draft.to) }) ?? '';
}

/** A link may have only the first day. */
function toDates({ from, to }: DayRange, today: string): DateRange | undefined {
  return from === undefined ? undefined : { from: toDate(from), to: toDate(to ?? today) };
}

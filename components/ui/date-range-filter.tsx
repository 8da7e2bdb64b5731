'use client';

import { useState } from 'react';
import { type DayRange, formatRange, utcToday } from './calendar/days';
import { PickerButton } from './calendar/picker-button';
import { Filter } from './filter';
import { lazyOverlay } from './lazy-overlay';
import { Popover } from './popover';

const RangePanel = lazyOverlay(
  () => import('./calendar/range-panel').then((module) => module.RangePanel),
  () => <div className="h-96 w-72 sm:w-108" />,
);

interface DateRangeFilterProps {
  label: string;
  value: DayRange;
  /** Shown if no days are chosen: "Any time". */
  all: string;
  onChange: (range: { from: string | undefined; to: string | undefined }) => void;
  className?: string;
}

/** A filter by days in UTC: usual ranges and a calendar, in a popover loaded when opened. */
export function DateRangeFilter({ label, value, all, onChange, className }: DateRangeFilterProps) {
  const [open, setOpen] = useState(false);
  const text = formatRange(value);
  return (
    <Filter label={label} className={className ?? 'sm:w-60'}>
      {(id) => (
        <Popover
          open={open}
          onOpenChange={setOpen}
          label={label}
          align="start"
          className="max-h-(--radix-popover-content-available-height) overflow-y-auto"
          trigger={<PickerButton id={id} label={label} text={text ?? all} empty={text === null} />}
        >
          <RangePanel
            value={value}
            today={utcToday()}
            onChange={({ from, to }) => {
              setOpen(false);
              onChange({ from, to });
            }}
          />
        </Popover>
      )}
    </Filter>
  );
}

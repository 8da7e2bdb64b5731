'use client';

import { type ClassNames, DayPicker, type DayPickerProps, type Labels } from 'react-day-picker';

const navButton =
  'inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink aria-disabled:opacity-40';

const CHOSEN = '[&>button]:bg-accent [&>button]:text-ink-inverse [&>button]:hover:bg-accent';

const CLASSES: Partial<ClassNames> = {
  root: 'relative w-max text-sm',
  month_caption: 'flex h-8 items-center px-1 font-medium',
  nav: 'absolute top-0 right-0 flex gap-1',
  button_previous: navButton,
  button_next: navButton,
  chevron: 'size-4 fill-current',
  month_grid: 'mt-2 border-collapse',
  weekday: 'size-9 font-normal text-muted text-xs',
  day: 'p-0 py-px text-center',
  day_button:
    'size-9 rounded-md tabular-nums hover:bg-hover disabled:cursor-not-allowed disabled:text-muted disabled:opacity-45 disabled:hover:bg-transparent',
  today: '[&>button]:font-semibold [&>button]:underline [&>button]:underline-offset-4',
  range_start: `rounded-l-md bg-accent-soft ${CHOSEN}`,
  range_end: `rounded-r-md bg-accent-soft ${CHOSEN}`,
  range_middle: 'bg-accent-soft [&>button]:rounded-none',
};

/** In sentence case, and with the days as the rest of the pages writes them. */
const LABELS: Partial<Labels> = {
  labelPrevious: () => 'Previous month',
  labelNext: () => 'Next month',
  labelDayButton: (date, { today, selected }, _, dates) =>
    `${today ? 'Today, ' : ''}${dates?.format(date, 'EEEE d MMMM yyyy')}${selected ? ', selected' : ''}`,
};

/**
 * A month of days to choose from, with react-day-picker's keyboard support: arrows, Home, End and
 * Page keys. Loaded with the popover that contains it.
 */
export function Calendar(props: DayPickerProps) {
  const classes = props.mode === 'single' ? { ...CLASSES, selected: CHOSEN } : CLASSES;
  // react-day-picker marks the ends of a range only when it has both.
  const first = props.mode === 'range' && !props.selected?.to ? props.selected?.from : undefined;
  return (
    <DayPicker
      {...props}
      weekStartsOn={1}
      autoFocus
      labels={LABELS}
      classNames={classes}
      modifiers={{ first }}
      modifiersClassNames={{ first: CHOSEN }}
    />
  );
}

'use client';

import { type ComponentProps, useState } from 'react';
import { formatDay, toDate, toDay } from './calendar/days';
import { PickerButton } from './calendar/picker-button';
import { lazyOverlay } from './lazy-overlay';
import { Popover } from './popover';
import { Select } from './select';

const DayPanel = lazyOverlay(
  () => import('./calendar/day-panel').then((module) => module.DayPanel),
  () => <div className="h-76 w-70" />,
);

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

interface MomentFieldProps
  extends Pick<ComponentProps<'select'>, 'id' | 'aria-describedby' | 'aria-invalid'> {
  name: string;
  /** ISO 8601; null for none. */
  defaultValue: string | null;
  /** The words for none. */
  none?: string;
}

/**
 * A moment in the future: none, after a usual time, or a day and a time in the reader's zone. Its
 * value in the form is ISO 8601, or empty.
 */
export function MomentField({ name, defaultValue, none = 'Never', ...control }: MomentFieldProps) {
  const [now] = useState(() => Date.now());
  const [custom, setCustom] = useState(
    () => defaultValue ?? new Date(Math.ceil((now + 30 * DAY_MS) / HOUR_MS) * HOUR_MS).toISOString(),
  );
  const after = (days: number) => new Date(now + days * DAY_MS).toISOString();
  const choices = [
    { label: none, value: '' },
    { label: 'In 30 days', value: after(30) },
    { label: 'In 90 days', value: after(90) },
    { label: 'In 1 year', value: after(365) },
    { label: 'On a date', value: custom },
  ];
  const last = choices.length - 1;
  const [chosen, setChosen] = useState(defaultValue === null ? 0 : last);
  return (
    <>
      <Select
        {...control}
        name={name}
        value={choices[chosen]?.value ?? ''}
        onChange={(event) => setChosen(event.target.selectedIndex)}
      >
        {choices.map(({ label, value }) => (
          <option key={label} value={value}>
            {label}
          </option>
        ))}
      </Select>
      {chosen === last && <MomentPicker value={custom} now={now} onChange={setCustom} />}
    </>
  );
}

interface MomentPickerProps {
  value: string;
  now: number;
  onChange: (value: string) => void;
}

const TIMES = Array.from(
  { length: 48 },
  (_, half) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 === 0 ? '00' : '30'}`,
);

function MomentPicker({ value, now, onChange }: MomentPickerProps) {
  const [open, setOpen] = useState(false);
  const moment = new Date(value);
  const day = toDay(moment);
  const time = `${String(moment.getHours()).padStart(2, '0')}:${String(moment.getMinutes()).padStart(2, '0')}`;
  const times = TIMES.includes(time) ? TIMES : [...TIMES, time].sort();

  function choose(nextDay: string, nextTime: string) {
    const [hours = 0, minutes = 0] = nextTime.split(':').map(Number);
    const next = toDate(nextDay);
    next.setHours(hours, minutes);
    onChange(next.toISOString());
    setOpen(false);
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)_7rem] gap-3">
      <Popover
        open={open}
        onOpenChange={setOpen}
        label="Date"
        align="start"
        trigger={<PickerButton label="Date" text={formatDay(day)} empty={false} />}
      >
        <DayPanel value={day} today={toDay(new Date(now))} onChange={(next) => choose(next, time)} />
      </Popover>
      <Select aria-label="Time" value={time} onChange={(event) => choose(day, event.target.value)}>
        {times.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </Select>
    </div>
  );
}

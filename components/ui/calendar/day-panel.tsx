'use client';

import { Calendar } from './calendar';
import { type Day, toDate, toDay } from './days';

interface DayPanelProps {
  value: Day;
  /** Earlier days cannot be chosen. */
  today: Day;
  onChange: (day: Day) => void;
}

/** The lazily loaded part of `MomentField`. */
export function DayPanel({ value, today, onChange }: DayPanelProps) {
  return (
    <div className="p-3">
      <Calendar
        mode="single"
        required
        today={toDate(today)}
        selected={toDate(value)}
        onSelect={(date) => onChange(toDay(date))}
        defaultMonth={toDate(value)}
        startMonth={toDate(today)}
        disabled={{ before: toDate(today) }}
      />
    </div>
  );
}

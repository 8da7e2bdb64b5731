import { formatTime } from '../time-format';

/** A calendar day, `2026-10-25`, in whatever zone its list counts days. */
export type Day = string;

export interface DayRange {
  from?: Day | undefined;
  to?: Day | undefined;
}

/** The day as the calendar has it: midnight in the browser's zone. */
export function toDate(day: Day): Date {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date);
}

export function toDay(date: Date): Day {
  const part = (number: number) => String(number).padStart(2, '0');
  return `${date.getFullYear()}-${part(date.getMonth() + 1)}-${part(date.getDate())}`;
}

/** The day in a link, in the years that reports accept; undefined if there is no such day. */
export function readDay(text: string | null): Day | undefined {
  if (text === null || !/^2[01]\d{2}-\d{2}-\d{2}$/.test(text)) return;
  const day = new Date(`${text}T00:00:00Z`);
  // Date turns 31 February into a day of March: reject it.
  if (!Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)) return text;
}

/** Today in UTC, in which usage and statements count days. */
export function utcToday(): Day {
  return new Date().toISOString().slice(0, 10);
}

/** `25 Oct 2026`. */
export function formatDay(day: Day): string {
  return formatTime(new Date(`${day}T00:00:00Z`), 'date', 'UTC');
}

/** `1 Nov 2026 – 20 Nov 2026`, `Since 1 Nov 2026`; null without a limit. */
export function formatRange({ from, to }: DayRange): string | null {
  if (from && to) return from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`;
  if (from) return `Since ${formatDay(from)}`;
  return to ? `Until ${formatDay(to)}` : null;
}

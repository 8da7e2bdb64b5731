import type { Day } from './days';

const DAY_MS = 86_400_000;

/** The day so many days later. */
export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** The ranges to choose with one click, all up to today except yesterday and the last month. */
export function listPresets(today: Day): { label: string; from: Day; to: Day }[] {
  const month = `${today.slice(0, 7)}-01`;
  const lastMonthEnd = addDays(month, -1);
  return [
    { label: 'Today', from: today, to: today },
    { label: 'Yesterday', from: addDays(today, -1), to: addDays(today, -1) },
    ...[7, 30, 90].map((days) => ({ label: `Last ${days} days`, from: addDays(today, 1 - days), to: today })),
    { label: 'This month', from: month, to: today },
    { label: 'Last month', from: `${lastMonthEnd.slice(0, 7)}-01`, to: lastMonthEnd },
  ];
}

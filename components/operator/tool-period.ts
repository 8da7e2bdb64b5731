import type { ToolPeriod } from '@/server/operations/operator/schema';

export const TOOL_PERIODS: readonly { value: ToolPeriod; label: string }[] = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '30d', label: '30 days' },
];

/** Roll-ups are hourly, so the periods are rounded to full hours. */
export const PERIOD_NOTE =
  'Counted by full hours: “1 hour” covers the current and the previous hour. Calls that failed because of the caller’s input or provider key count in no success rate.';

/** The period in a URL; defaults to a day. */
export function readToolPeriod(text: string | null): ToolPeriod {
  return TOOL_PERIODS.find(({ value }) => value === text)?.value ?? '24h';
}

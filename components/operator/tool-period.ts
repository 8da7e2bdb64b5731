import type { ToolPeriod } from '@/server/operations/operator/schema';

export const TOOL_PERIODS: readonly { value: ToolPeriod; label: string }[] = [
  { value: '1h', label: '1 hour' },
  { value: '24h', label: '24 hours' },
  { value: '30d', label: '30 days' },
];

/** What the periods mean: roll-ups know whole hours only. */
export const PERIOD_NOTE =
  'Calls and revenue are counted by whole hours: “1 hour” is this one and the one before.';

/** The period that a URL names; a day where it names none. */
export function readToolPeriod(text: string | null): ToolPeriod {
  return TOOL_PERIODS.find(({ value }) => value === text)?.value ?? '24h';
}

import { expect, it } from 'vitest';
import { formatBuckets, nameAxis } from './axis-labels';

it.each([
  ['hour', '14:00', 'Mon 2 Mar, 14:00, UTC', 'Hours, UTC'],
  ['day', '2 Mar', 'Mon 2 Mar, UTC', 'Days, UTC'],
  ['week', '2 Mar', 'Week from Mon 2 Mar, UTC', 'Weeks, UTC'],
  ['month', 'Mar 2026', 'Mar 2026, UTC', 'Months, UTC'],
] as const)('labels every %s with its zone', (unit, short, long, axis) => {
  const at = '2026-03-02T14:00:00.000Z';
  expect(formatBuckets([{ at }], unit, 'UTC')).toEqual([{ id: at, short, long }]);
  expect(nameAxis(unit, 'UTC')).toBe(axis);
});

it('shows hours in the chosen zone, and days in UTC, as they are counted', () => {
  const at = '2026-03-02T23:00:00.000Z';
  const zone = 'Europe/Berlin';
  const label = (unit: 'hour' | 'day') => formatBuckets([{ at }], unit, zone)[0]?.long;
  expect(label('hour')).toBe('Tue 3 Mar, 00:00, Berlin time');
  expect(nameAxis('hour', zone)).toBe('Hours, Berlin time');
  expect(label('day')).toBe('Mon 2 Mar, UTC');
  expect(nameAxis('day', zone)).toBe('Days, UTC');
});

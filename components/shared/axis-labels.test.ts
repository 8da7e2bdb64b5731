import { expect, it } from 'vitest';
import { formatBuckets } from './axis-labels';

it.each([
  ['hour', '14:00', 'Mon 2 Mar, 14:00 UTC'],
  ['day', '2 Mar', 'Mon 2 Mar'],
  ['week', '2 Mar', 'Week from Mon 2 Mar'],
  ['month', 'Mar 2026', 'Mar 2026'],
] as const)('labels every %s in UTC, as calls are counted', (unit, short, long) => {
  const at = '2026-03-02T14:00:00.000Z';
  expect(formatBuckets([{ at }], unit)).toEqual([{ id: at, short, long }]);
});

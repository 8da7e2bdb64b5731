import { expect, it } from 'vitest';
import { formatRange, toDate, toDay } from './days';
import { addDays, listPresets } from './presets';

it('keeps a day through the calendar in any zone, and across the change of clocks', () => {
  for (const day of ['2026-03-29', '2026-10-25', '2024-02-29', '2026-12-31'])
    expect(toDay(toDate(day))).toBe(day);
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
});

it('offers ranges that include today, and complete months', () => {
  const presets = Object.fromEntries(listPresets('2026-03-05').map(({ label, ...range }) => [label, range]));
  expect(presets).toEqual({
    Today: { from: '2026-03-05', to: '2026-03-05' },
    Yesterday: { from: '2026-03-04', to: '2026-03-04' },
    'Last 7 days': { from: '2026-02-27', to: '2026-03-05' },
    'Last 30 days': { from: '2026-02-04', to: '2026-03-05' },
    'Last 90 days': { from: '2025-12-06', to: '2026-03-05' },
    'This month': { from: '2026-03-01', to: '2026-03-05' },
    'Last month': { from: '2026-02-01', to: '2026-02-28' },
  });
});

it('writes a range in words, with one day once', () => {
  expect(formatRange({ from: '2026-11-01', to: '2026-11-20' })).toBe('1 Nov 2026 – 20 Nov 2026');
  expect(formatRange({ from: '2026-11-01', to: '2026-11-01' })).toBe('1 Nov 2026');
  expect(formatRange({ from: '2026-11-01' })).toBe('Since 1 Nov 2026');
  expect(formatRange({ to: '2026-11-01' })).toBe('Until 1 Nov 2026');
  expect(formatRange({})).toBeNull();
});

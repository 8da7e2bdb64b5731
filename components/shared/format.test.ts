import { expect, it } from 'vitest';
import { formatDuration, formatShare, hasRate } from './format';

it.each([
  [0, '< 1 ms'],
  [1, '1 ms'],
  [12.4, '12 ms'],
  [1_400, '1.4 s'],
  [125_000, '2 min 5 s'],
])('writes %d milliseconds as %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

it('shows no rate of fewer than 20 calls', () => expect([19, 20].map(hasRate)).toEqual([false, true]));

it.each([
  [7, 100, '7.0%'],
  [121, 1000, '12.1%'],
  [9999, 10_000, '99.9%'],
  [1, 10_000, '0.1%'],
  [0, 10, '0%'],
  [10, 10, '100%'],
])('writes %d of %d as %s, with one decimal in a column', (part, whole, text) =>
  expect(formatShare(part, whole)).toBe(text),
);

import { expect, it } from 'vitest';
import { formatDuration, hasRate } from './format';

it.each([
  [0, '< 1 ms'],
  [1, '1 ms'],
  [12.4, '12 ms'],
  [1_400, '1.4 s'],
  [125_000, '2 min 5 s'],
])('writes %d milliseconds as %s', (ms, text) => expect(formatDuration(ms)).toBe(text));

it('shows no rate of fewer than 20 calls', () => expect([19, 20].map(hasRate)).toEqual([false, true]));

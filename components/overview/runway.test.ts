import { expect, it } from 'vitest';
import { estimateRunway } from './runway';

it.each([
  [10, 7, 'about 10 days'],
  [1.99, 7, 'about 2 days'],
  [1.4, 7, 'about 1 day'],
  [0.99, 7, 'less than a day'],
  [0.5, 7, 'less than a day'],
  [10, 0.0005, 'more than a year'],
  [10, 0, null],
  [0, 7, null],
  [-2, 7, null],
])('a balance of $%d with $%d spent in a week lasts %s', (available, week, words) => {
  expect(estimateRunway(available, week)).toBe(words);
});

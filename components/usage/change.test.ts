import { expect, it } from 'vitest';
import { percentChange, pointsChange } from './change';

it('shows a change as a signed number, and none without earlier data', () => {
  expect(percentChange(112, 100)).toBe('+12%');
  expect(percentChange(97, 100)).toBe('−3%');
  expect(percentChange(100.1, 100)).toBe('unchanged');
  expect(percentChange(5, 0)).toBe('no earlier data');
  expect(percentChange(0, 0)).toBeNull();
  expect(percentChange(5, undefined)).toBeNull();
  expect(percentChange(1e9, 1)).toBe('+over 1,000%');
  expect(pointsChange(0.99, 0.965)).toBe('+2.5 points');
  expect(pointsChange(0.99, 0.99)).toBe('unchanged');
  expect(pointsChange(null, 0.9)).toBeNull();
});

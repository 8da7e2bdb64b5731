import { expect, it } from 'vitest';
import { percentChange, pointsChange } from './change';

it('has a direction and an amount, and is nothing without earlier data', () => {
  expect(percentChange(112, 100)).toEqual({ direction: 'up', text: '12%' });
  expect(percentChange(97, 100)).toEqual({ direction: 'down', text: '3%' });
  expect(percentChange(100.1, 100)).toEqual({ direction: 'same', text: 'Unchanged' });
  expect(percentChange(0, 4)).toEqual({ direction: 'down', text: '100%' });
  expect(percentChange(1e9, 1)).toEqual({ direction: 'up', text: 'over 1,000%' });
  expect(percentChange(5, 0)).toBeNull();
  expect(percentChange(5, undefined)).toBeNull();
  // A margin that was negative: −$10 to $5 is no fall of 150%.
  expect(percentChange(5, -10)).toBeNull();
  expect(percentChange(-5, 10)).toEqual({ direction: 'down', text: '150%' });
  expect(pointsChange(0.99, 0.965)).toEqual({ direction: 'up', text: '2.5 points' });
  expect(pointsChange(0.99, 0.99)).toEqual({ direction: 'same', text: 'Unchanged' });
  expect(pointsChange(null, 0.9)).toBeNull();
});

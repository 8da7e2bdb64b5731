import { expect, it } from 'vitest';
import { orderNearEquals } from './order-near-equals';

const match = (name: string, score: number, place: number) => ({ name, score, place });

it('lets availability decide between near-equal scores only', () => {
  const matches = [
    match('unavailable', 0.8, 2),
    match('near and works', 0.78, 0),
    match('near with a key', 0.77, 1),
    match('worse and works', 0.7, 0),
  ];
  const names = orderNearEquals(matches, ({ place }) => place).map(({ name }) => name);
  expect(names).toEqual(['near and works', 'near with a key', 'unavailable', 'worse and works']);
  expect(orderNearEquals([], () => 0)).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { readPurchaseAmount, writeAmount } from './purchase-amount';

const BOUNDS = { min_usd: 1, max_usd: 10_000 };
const read = (text: string) => readPurchaseAmount('Amount', text, BOUNDS);

describe('an amount of credit to buy', () => {
  it.each([
    ['10', 10],
    ['$12.50', 12.5],
    [' 1,000 ', 1000],
    ['10,000.00', 10_000],
    ['1', 1],
    ['1.1', 1.1],
    ['4.350000', 4.35],
  ])('%j is %d dollars', (text, usd) => {
    expect(read(text)).toEqual({ usd });
  });

  it.each([
    ['', 'write an amount'],
    ['ten', 'write an amount'],
    ['-5', 'write an amount'],
    ['1,5', 'write an amount'],
    ['1e3', 'write an amount'],
    ['0', 'the least is $1.00'],
    ['0.99', 'the least is $1.00'],
    ['10000.01', 'the most is $10,000.00'],
    ['5.001', 'whole cents'],
    ['5.0000001', 'six decimals'],
  ])('%j is refused: %s', (text, words) => {
    const amount = read(text);
    expect('problem' in amount && amount.problem).toMatch(/^Amount: /);
    expect('problem' in amount && amount.problem).toContain(words);
  });

  it('is written as it would be typed', () => {
    expect([10, 12.5, 1000, 1234.5].map(writeAmount)).toEqual(['10', '12.50', '1000', '1234.50']);
  });
});

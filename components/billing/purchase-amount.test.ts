import { describe, expect, it } from 'vitest';
import { readPurchaseAmount, writeAmount } from './purchase-amount';

const BOUNDS = { min_usd: 1, max_usd: 10_000 };
const read = (text: string) => readPurchaseAmount('Amount', text, BOUNDS);

describe('readPurchaseAmount', () => {
  it.each([
    ['10', 10],
    ['$12.50', 12.5],
    [' 1,000 ', 1000],
    ['10,000.00', 10_000],
    ['1', 1],
    ['1.1', 1.1],
    ['4.350000', 4.35],
  ])('reads %j as %d dollars', (text, usd) => {
    expect(read(text)).toEqual({ usd });
  });

  it.each([
    ['', 'enter an amount'],
    ['ten', 'enter an amount'],
    ['-5', 'enter an amount'],
    ['1,5', 'enter an amount'],
    ['1e3', 'enter an amount'],
    ['0', 'the minimum is $1.00'],
    ['0.99', 'the minimum is $1.00'],
    ['10000.01', 'the maximum is $10,000.00'],
    ['5.001', 'whole cents'],
    ['5.0000001', 'six decimals'],
  ])('rejects %j: %s', (text, words) => {
    const amount = read(text);
    expect('problem' in amount && amount.problem).toMatch(/^Amount: /);
    expect('problem' in amount && amount.problem).toContain(words);
  });

  it('reads every amount back from the text written for it', () => {
    expect([10, 12.5, 1000, 1234.5].map(writeAmount)).toEqual(['10', '12.50', '1000', '1234.50']);
  });
});

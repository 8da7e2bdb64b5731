import { describe, expect, it } from 'vitest';
import { ComputeBudget } from './compute-budget';

describe('the budget for unpaid computing', () => {
  it('is a minute at once, of which a fifth of the time that passes comes back', () => {
    let now = 0;
    const budget = new ComputeBudget(() => now);
    budget.spend('a', 60_000);
    expect(budget.isExceeded('a')).toBe(false);
    budget.spend('a', 2_000);
    expect([budget.isExceeded('a'), budget.isExceeded('b')]).toEqual([true, false]);
    now += 10_000;
    expect(budget.isExceeded('a')).toBe(false);
    budget.spend('a', 60_000);
    expect(budget.isExceeded('a')).toBe(true);
    budget.spend('a', -60_000);
    expect(budget.isExceeded('a')).toBe(false);
  });

  it('is remembered for a bounded number of accounts, those that spend last', () => {
    const budget = new ComputeBudget(() => 0);
    for (let account = 0; account < 20_000; account += 1) budget.spend(`${account}`, 70_000);
    expect([budget.isExceeded('0'), budget.isExceeded('19999')]).toEqual([false, true]);
  });
});

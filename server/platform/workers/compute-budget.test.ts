import { describe, expect, it } from 'vitest';
import { ComputeBudget } from './compute-budget';

describe('the budget for unpaid computing', () => {
  it('is a minute at once, and refills by a fifth of the elapsed time @F7', () => {
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

  it('is stored for a bounded number of accounts, those that spent last', () => {
    const budget = new ComputeBudget(() => 0);
    for (let account = 0; account < 20_000; account += 1) budget.spend(`${account}`, 70_000);
    expect([budget.isExceeded('0'), budget.isExceeded('19999')]).toEqual([false, true]);
  });

  it('forgets accounts with nothing spent before others', () => {
    let now = 0;
    const budget = new ComputeBudget(() => now);
    budget.spend('large', 1_000_000);
    for (let account = 0; account < 9_999; account += 1) budget.spend(`${account}`, 1);
    now += 1_000;
    budget.spend('last', 1);
    expect(budget.isExceeded('large')).toBe(true);
  });
});

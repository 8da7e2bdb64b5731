import { describe, expect, it } from 'vitest';
import {
  findReachedCap,
  needsReload,
  type ReloadAccount,
  retryAfterSeconds,
  secondsUntilAllowed,
} from './reload';

const low: ReloadAccount = {
  autoReloadEnabled: true,
  reloadThresholdMicrousd: 5_000_000n,
  balanceMicrousd: 4_999_999n,
  heldMicrousd: 0n,
  debtMicrousd: 0n,
  disputedAt: null,
  frozenAt: null,
  closedAt: null,
};

describe('needsReload', () => {
  it.each<[string, Partial<ReloadAccount>, boolean]>([
    ['is true below the threshold', {}, true],
    ['is false at the threshold', { balanceMicrousd: 5_000_000n }, false],
    ['does not count held credit', { balanceMicrousd: 9_000_000n, heldMicrousd: 4_000_001n }, true],
    ['is true with a debt', { balanceMicrousd: 0n, debtMicrousd: 1n }, true],
    ['is false if auto-recharge is off', { autoReloadEnabled: false }, false],
    ['is false while a dispute is open', { disputedAt: new Date() }, false],
    ['is false while the account is frozen', { frozenAt: new Date() }, false],
    ['is false once the account is closed', { closedAt: new Date() }, false],
    ['is false with a threshold of zero', { balanceMicrousd: 0n, reloadThresholdMicrousd: 0n }, false],
  ])('%s', (_, change, needed) => {
    expect(needsReload({ ...low, ...change })).toBe(needed);
  });
});

it('retries the provider at growing intervals of at most one hour', () => {
  expect([1, 2, 3, 8, 9, 40].map(retryAfterSeconds)).toEqual([15, 30, 60, 1920, 3600, 3600]);
});

describe('findReachedCap', () => {
  const bounds = { credits: 20_000_000n, dailyLimit: 500_000_000n };
  const aged = (...ages: number[]) => ages.map((ageSeconds) => ({ ageSeconds, credits: 20_000_000n }));
  const tenOfToday = aged(...Array.from({ length: 10 }, (_, i) => 4_000 + i * 3_600));

  it.each([
    ['allows a third charge in an hour', aged(0, 3_599, 3_600), bounds, null, 0],
    ['refuses a fourth charge in an hour', aged(0, 100, 3_500), bounds, 'hourly_cap', 100],
    ['refuses an eleventh charge in a day', tenOfToday, bounds, 'daily_cap', 86_400 - 4_000 - 9 * 3_600],
    ['ignores ten charges of yesterday', aged(...Array<number>(10).fill(86_400)), bounds, null, 0],
    ['allows a charge up to the daily limit', aged(7_200), { ...bounds, dailyLimit: 40_000_000n }, null, 0],
    [
      'refuses a charge above the daily limit',
      aged(7_200),
      { ...bounds, dailyLimit: 39_999_999n },
      'daily_limit',
      86_400 - 7_200,
    ],
    [
      'refuses any charge if the limit is below the amount',
      aged(),
      { ...bounds, dailyLimit: 1n },
      'daily_limit',
      0,
    ],
  ])('%s', (_, charges, limits, cap, wait) => {
    expect(findReachedCap(charges, limits)).toBe(cap);
    expect(secondsUntilAllowed(charges, limits)).toBe(wait);
  });
});

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

describe('a reload is needed', () => {
  it.each<[string, Partial<ReloadAccount>, boolean]>([
    ['under the threshold', {}, true],
    ['not at it', { balanceMicrousd: 5_000_000n }, false],
    ['by what is free, not by what is held', { balanceMicrousd: 9_000_000n, heldMicrousd: 4_000_001n }, true],
    ['also with a debt', { balanceMicrousd: 0n, debtMicrousd: 1n }, true],
    ['not where it is off', { autoReloadEnabled: false }, false],
    ['not while a dispute is open', { disputedAt: new Date() }, false],
    ['not while the account is frozen', { frozenAt: new Date() }, false],
    ['not once the account is closed', { closedAt: new Date() }, false],
    ['never with a threshold of nothing', { balanceMicrousd: 0n, reloadThresholdMicrousd: 0n }, false],
  ])('%s', (_, change, needed) => {
    expect(needsReload({ ...low, ...change })).toBe(needed);
  });
});

it('the provider is asked again more and more seldom, and at least once an hour', () => {
  expect([1, 2, 3, 8, 9, 40].map(retryAfterSeconds)).toEqual([15, 30, 60, 1920, 3600, 3600]);
});

describe('another charge is forbidden', () => {
  const bounds = { credits: 20_000_000n, dailyLimit: 500_000_000n };
  const aged = (...ages: number[]) => ages.map((ageSeconds) => ({ ageSeconds, credits: 20_000_000n }));
  const tenOfToday = aged(...Array.from({ length: 10 }, (_, i) => 4_000 + i * 3_600));

  it.each([
    ['not after two in an hour', aged(0, 3_599, 3_600), bounds, null, 0],
    ['after three in an hour', aged(0, 100, 3_500), bounds, 'hourly_cap', 100],
    ['after ten in a day', tenOfToday, bounds, 'daily_cap', 86_400 - 4_000 - 9 * 3_600],
    ['not after ten of yesterday', aged(...Array<number>(10).fill(86_400)), bounds, null, 0],
    ['not up to the daily limit', aged(7_200), { ...bounds, dailyLimit: 40_000_000n }, null, 0],
    [
      'above the daily limit',
      aged(7_200),
      { ...bounds, dailyLimit: 39_999_999n },
      'daily_limit',
      86_400 - 7_200,
    ],
    ['for good by a limit under its amount', aged(), { ...bounds, dailyLimit: 1n }, 'daily_limit', 0],
  ])('%s', (_, charges, limits, cap, wait) => {
    expect(findReachedCap(charges, limits)).toBe(cap);
    expect(secondsUntilAllowed(charges, limits)).toBe(wait);
  });
});

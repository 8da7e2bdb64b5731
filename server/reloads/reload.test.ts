import { describe, expect, it } from 'vitest';
import { needsReload, type ReloadAccount, retryAfterSeconds } from './reload';

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

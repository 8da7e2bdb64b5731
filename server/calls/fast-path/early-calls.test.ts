import { expect, it } from 'vitest';
import { type KeyRules, NO_LIMIT } from '../../core/limits/key-rules';
import { EarlyCalls } from './early-calls';

const QUOTAS = { perWindow: [60, 1_000], concurrent: 5 };
const fresh = [
  { used: 0, resetSeconds: 60 },
  { used: 0, resetSeconds: 3_600 },
];

function create({ running = 0 } = {}) {
  const clock = { now: 0 };
  return {
    clock,
    early: new EarlyCalls(
      QUOTAS,
      () => running,
      () => clock.now,
    ),
  };
}

it('a key must have been reported within the last ten seconds', () => {
  const { clock, early } = create();
  expect(early.tryBegin('key', 1n)).toBeNull();
  early.report('key', 1_000n, fresh);
  expect(early.tryBegin('other', 1n)).toBeNull();
  clock.now = 10_000;
  expect(early.tryBegin('key', 1n)).not.toBeNull();
  clock.now = 10_001;
  expect(early.tryBegin('key', 1n)).toBeNull();
});

it('a process starts no more calls of a key than may run at once, with those that are admitted', () => {
  const { early } = create({ running: 3 });
  early.report('key', 1_000n, fresh);
  const first = early.tryBegin('key', 1n);
  const second = early.tryBegin('key', 1n);
  expect(second).not.toBeNull();
  expect(early.tryBegin('key', 1n)).toBeNull();
  first?.();
  expect(early.tryBegin('key', 1n)).not.toBeNull();
});

it('funds and windows must cover three times the calls that run', () => {
  const { early } = create();
  early.report('key', 300n, fresh);
  expect(early.tryBegin('key', 101n)).toBeNull();
  const end = early.tryBegin('key', 100n);
  expect(end).not.toBeNull();
  expect(early.tryBegin('key', 100n)).toBeNull();
  end?.();
  early.report('key', 1_000n, [{ used: 58, resetSeconds: 9 }, fresh[1] as (typeof fresh)[1]]);
  expect(early.tryBegin('key', 1n)).toBeNull();
  early.report('key', 1_000n, [{ used: 57, resetSeconds: 9 }, fresh[1] as (typeof fresh)[1]]);
  expect(early.tryBegin('key', 1n)).not.toBeNull();
});

it('the lower limits of a key apply, and a key with a spending limit must be admitted first', () => {
  const { early } = create();
  early.report('key', 1_000n, fresh);
  const rules: KeyRules = {
    accountQuotas: null,
    expiresAt: null,
    allowedTools: null,
    networks: null,
    rateLimits: [3, NO_LIMIT],
    concurrencyLimit: null,
    spendPeriod: null,
  };
  const first = early.tryBegin('key', 1n, rules);
  expect(first).not.toBeNull();
  // Six calls must be left for two.
  expect(early.tryBegin('key', 1n, rules)).toBeNull();
  first?.();
  expect(early.tryBegin('key', 1n, { ...rules, concurrencyLimit: 1 })).not.toBeNull();
  expect(early.tryBegin('key', 1n, { ...rules, rateLimits: [], concurrencyLimit: 1 })).toBeNull();
  expect(early.tryBegin('key', 1n, { ...rules, rateLimits: [], spendPeriod: 'day' })).toBeNull();
});

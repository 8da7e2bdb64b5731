import { expect, it } from 'vitest';
import { type KeyRules, NO_LIMIT } from '../../core/limits/key-rules';
import { KeyStates } from './key-states';

const QUOTAS = { perWindow: [60, 1_000], concurrent: 5 };
const fresh = [
  { used: 0, resetSeconds: 60 },
  { used: 0, resetSeconds: 3_600 },
];

function create({ running = 0 } = {}) {
  const clock = { now: 0 };
  return {
    clock,
    states: new KeyStates(
      QUOTAS,
      () => running,
      () => clock.now,
    ),
  };
}

it('a key must have been reported within the last ten seconds', () => {
  const { clock, states } = create();
  expect(states.tryBegin('key', 1n)).toBeNull();
  states.report('key', 1_000n, fresh);
  expect(states.tryBegin('other', 1n)).toBeNull();
  clock.now = 10_000;
  expect(states.tryBegin('key', 1n)).not.toBeNull();
  clock.now = 10_001;
  expect(states.tryBegin('key', 1n)).toBeNull();
});

it('a process starts no more calls of a key than may run at once, with those that are admitted', () => {
  const { states } = create({ running: 3 });
  states.report('key', 1_000n, fresh);
  const first = states.tryBegin('key', 1n);
  const second = states.tryBegin('key', 1n);
  expect(second).not.toBeNull();
  expect(states.tryBegin('key', 1n)).toBeNull();
  first?.();
  expect(states.tryBegin('key', 1n)).not.toBeNull();
});

it('calls that are about to begin together must fit together', () => {
  const { states } = create({ running: 1 });
  states.report('key', 1_000n, fresh);
  expect(states.tryBegin('key', 1n, null, 5)).toBeNull();
  expect(states.tryBegin('key', 1n, null, 4)).not.toBeNull();
  expect(states.tryBegin('key', 1n, null, 3)).not.toBeNull();
});

it('funds and windows must cover three times the calls that run', () => {
  const { states } = create();
  states.report('key', 300n, fresh);
  expect(states.tryBegin('key', 101n)).toBeNull();
  const end = states.tryBegin('key', 100n);
  expect(end).not.toBeNull();
  expect(states.tryBegin('key', 100n)).toBeNull();
  end?.();
  states.report('key', 1_000n, [{ used: 58, resetSeconds: 9 }, fresh[1] as (typeof fresh)[1]]);
  expect(states.tryBegin('key', 1n)).toBeNull();
  states.report('key', 1_000n, [{ used: 57, resetSeconds: 9 }, fresh[1] as (typeof fresh)[1]]);
  expect(states.tryBegin('key', 1n)).not.toBeNull();
});

it('the lower limits of a key apply, and a key with a spending limit must be admitted first', () => {
  const { states } = create();
  states.report('key', 1_000n, fresh);
  const rules: KeyRules = {
    accountQuotas: null,
    expiresAt: null,
    allowedTools: null,
    networks: null,
    rateLimits: [3, NO_LIMIT],
    concurrencyLimit: null,
    spendPeriod: null,
  };
  const first = states.tryBegin('key', 1n, rules);
  expect(first).not.toBeNull();
  // Six calls must be left for two.
  expect(states.tryBegin('key', 1n, rules)).toBeNull();
  first?.();
  expect(states.tryBegin('key', 1n, { ...rules, concurrencyLimit: 1 })).not.toBeNull();
  expect(states.tryBegin('key', 1n, { ...rules, rateLimits: [], concurrencyLimit: 1 })).toBeNull();
  expect(states.tryBegin('key', 1n, { ...rules, rateLimits: [], spendPeriod: 'day' })).toBeNull();
});

it('a refused key is unknown until it is reported again', () => {
  const { states } = create();
  states.report('key', 1_000n, fresh);
  const end = states.tryBegin('key', 1n);
  states.forget('key');
  expect(states.tryBegin('key', 1n)).toBeNull();
  end?.();
  states.report('key', 1_000n, fresh);
  expect(states.tryBegin('key', 1n)).not.toBeNull();
});

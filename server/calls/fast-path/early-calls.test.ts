import { expect, it } from 'vitest';
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

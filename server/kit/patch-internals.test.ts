import { afterEach, expect, it } from 'vitest';
import { createLogger } from './log';
import { patchInternals } from './patch-internals';

const before = globalThis.__gateway;
afterEach(() => {
  globalThis.__gateway = before;
});

it('skips a patch that cannot be applied, and logs it once', () => {
  const lines: string[] = [];
  globalThis.__gateway = { ...before, log: createLogger((line) => lines.push(line)) };
  const internals = Object.freeze({ method: () => 'original' });
  const patch = () => Object.assign(internals, { method: () => 'patched' });
  patchInternals('frozen', patch);
  patchInternals('frozen', patch);
  expect(internals.method()).toBe('original');
  expect(lines).toEqual([expect.stringMatching(/"level":"warn".*"frozen".*Cannot assign to read only/)]);
});

import { afterEach, expect, it, vi } from 'vitest';
import { run } from './sandbox-worker.mjs';

afterEach(() => void vi.restoreAllMocks());

/** A clock that goes on by a millisecond each time it is read. */
function countReadings() {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ++now);
}

const reports = { log: () => undefined, progress: () => undefined, sleep: async () => undefined };

// One limit ends at an even reading, the other at an odd one: a check that reads twice fails in one.
it.each([100, 101])(
  'names the limit of %d ms, whichever reading of the clock is past it',
  async (timeLimitMs) => {
    countReadings();
    const answer = await run({ code: 'for (;;);', variables: {}, timeLimitMs }, reports);
    const message = expect.stringContaining(`did not end within ${timeLimitMs / 1_000} s`);
    expect(answer).toEqual({ ok: false, message });
  },
);

it.each([
  ['waited for', 'await new Promise((done) => setTimeout(done, 5_000))'],
  ['its value', 'new Promise((done) => setTimeout(done, 5_000))'],
])('names the limit where a timer is %s, though the wait for the limit ends early', async (_, code) => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const answer = await run({ code, variables: {}, timeLimitMs: 100 }, reports);
  expect(answer).toEqual({ ok: false, message: expect.stringContaining('did not end within 0.1 s') });
});

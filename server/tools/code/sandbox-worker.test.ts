import { afterEach, expect, it, vi } from 'vitest';
import { run } from './sandbox-worker.mjs';

afterEach(() => void vi.restoreAllMocks());

/** A clock that advances by a millisecond with each reading. */
function countReadings() {
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => ++now);
}

const reports = { log: () => undefined, progress: () => undefined, sleep: async () => undefined };

// One limit ends at an even reading, one at an odd one: reading twice fails in one of them.
it.each([100, 101])(
  'names the limit of %d ms at whichever reading the clock passes it',
  async (timeLimitMs) => {
    countReadings();
    const answer = await run({ code: 'for (;;);', variables: {}, timeLimitMs }, reports);
    const message = expect.stringContaining(`exceeded the time limit of ${timeLimitMs / 1_000} s`);
    expect(answer).toEqual({ ok: false, message });
  },
);

it.each([
  ['waited for', 'await new Promise((done) => setTimeout(done, 5_000))'],
  ['its value', 'new Promise((done) => setTimeout(done, 5_000))'],
])('names the limit for a timer that is %s, even if its wait ends early', async (_, code) => {
  vi.spyOn(performance, 'now').mockReturnValue(0);
  const answer = await run({ code, variables: {}, timeLimitMs: 100 }, reports);
  expect(answer).toEqual({ ok: false, message: expect.stringContaining('exceeded the time limit of 0.1 s') });
});

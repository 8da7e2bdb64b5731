import fc from 'fast-check';
import { createAuthAdapter } from '../../identity/sessions/adapter';
import { sessionCookieName } from '../../identity/sessions/session-token';
import { closeWorkers } from '../../platform/workers/cpu-pool';
import { type Harness, startHarness } from '../harness';
import { FUZZ_SEED, FUZZ_TIMES, fuzzTimeoutMs } from './amount';
import { findLeaks } from './check-answer';

export const FUZZ_RUNS = 60 * FUZZ_TIMES;
/** Of one test. */
export const FUZZ_TIMEOUT_MS = fuzzTimeoutMs(FUZZ_RUNS);
const MANY = '1000000';

/** A gateway whose ways in are tried that the document does not tell of, and a person of it. */
export interface Doors {
  harness: Harness;
  key: string;
  /** Of a session of that person. */
  cookie: string;
  close(): Promise<void>;
}

/** Starts it on real HTTP; limits are out of the way. Routes of pages find it in the slot. */
export async function startDoors(): Promise<Doors> {
  const harness = await startHarness({
    listen: true,
    standin: true,
    env: { RATE_PER_MINUTE: MANY, RATE_PER_HOUR: MANY, PUBLIC_ASSETS_PER_MINUTE: MANY },
  });
  globalThis.__gateway = { runtime: harness.runtime };
  const { key, userId } = await harness.person(1_000_000n);
  const sessionToken = `token of ${userId}`;
  const expires = new Date(Date.now() + 3_600_000);
  await createAuthAdapter(harness.runtime).createSession?.({ sessionToken, userId, expires });
  return {
    harness,
    key,
    cookie: `${sessionCookieName(harness.baseUrl)}=${sessionToken}`,
    async close() {
      globalThis.__gateway = undefined;
      await harness.close();
      closeWorkers();
    },
  };
}

/** Holds for whatever comes; the seed is in the message where it does not. */
export const fuzz = <T>(arbitrary: fc.Arbitrary<T>, each: (value: T) => Promise<void>, runs = FUZZ_RUNS) =>
  fc.assert(fc.asyncProperty(arbitrary, each), { numRuns: runs, seed: FUZZ_SEED });

/**
 * Not a failure of ours, and no leak. The log of the request is in the message.
 * @param allowed statuses of 500 and above that are meant
 */
export function mustBeHarmless(
  { log }: Pick<Harness, 'log'>,
  status: number,
  text: string,
  allowed: readonly number[] = [],
): void {
  const faults = status >= 400 ? findLeaks(text) : [];
  if (status >= 500 && !allowed.includes(status)) faults.push(`${status} is a failure`);
  if (faults.length > 0) throw new Error([...faults, status, text, ...log.slice(-3)].join('\n'));
}

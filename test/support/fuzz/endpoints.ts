import fc from 'fast-check';
import { createAuthAdapter } from '@/server/identity/sessions/adapter';
import { sessionCookieName } from '@/server/identity/sessions/session-token';
import { type Harness, startHarness } from '../harness';
import { UNLIMITED_RATES } from '../unlimited-rates';
import { FUZZ_SEED, FUZZ_TIMES, fuzzTimeoutMs } from './amount';
import { findLeaks } from './check-response';

export const FUZZ_RUNS = 60 * FUZZ_TIMES;
/** Time limit of one test. */
export const FUZZ_TIMEOUT_MS = fuzzTimeoutMs(FUZZ_RUNS);
const MANY = '1000000';

/** A gateway for fuzzing undocumented endpoints, with a signed-in person. */
export interface EndpointFuzz {
  harness: Harness;
  key: string;
  /** Session cookie of that person. */
  cookie: string;
  close(): Promise<void>;
}

/** Starts it on real HTTP without effective rate limits, and registers it for the page routes. */
export async function startEndpointFuzz(): Promise<EndpointFuzz> {
  const harness = await startHarness({
    listen: true,
    fakeStripe: true,
    env: { ...UNLIMITED_RATES, PUBLIC_ASSETS_PER_MINUTE: MANY },
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
    },
  };
}

/** Checks a property; a failure message contains the seed. */
export const fuzz = <T>(arbitrary: fc.Arbitrary<T>, each: (value: T) => Promise<void>, runs = FUZZ_RUNS) =>
  fc.assert(fc.asyncProperty(arbitrary, each), { numRuns: runs, seed: FUZZ_SEED });

/**
 * Checks that a response is neither a server error nor a leak; the message has the last log lines.
 * @param allowed expected statuses of 500 and above
 */
export function expectHarmless(
  { log }: Pick<Harness, 'log'>,
  status: number,
  text: string,
  allowed: readonly number[] = [],
): void {
  const faults = status >= 400 ? findLeaks(text) : [];
  if (status >= 500 && !allowed.includes(status)) faults.push(`${status} is a server error`);
  if (faults.length > 0) throw new Error([...faults, status, text, ...log.slice(-3)].join('\n'));
}

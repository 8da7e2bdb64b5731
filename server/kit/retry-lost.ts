import { setTimeout as wait } from 'node:timers/promises';

const ATTEMPTS = 4;
/** The request waits during the retries. */
const GIVE_UP_MS = 15_000;

interface RetryOptions {
  /** The first delay is twice as long; each further one is twice the one before. */
  retryMs: number;
  /** Called with every failure. */
  onError?: (error: unknown) => void;
}

/**
 * Sends a statement again if its response was lost.
 * @param send repeated, it must have one effect; `lost` is the last failure
 * @throws the last failure
 */
export async function retryLost<Result>(
  send: (lost: { error: unknown } | null) => Promise<Result>,
  { retryMs, onError }: RetryOptions,
): Promise<Result> {
  const began = performance.now();
  let lost: { error: unknown } | null = null;
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(lost);
    } catch (error) {
      onError?.(error);
      if (attempt >= ATTEMPTS || performance.now() - began > GIVE_UP_MS) throw error;
      lost = { error };
      await wait(retryMs * 2 ** attempt);
    }
  }
}

import { clearAddresses } from './origin-store';
import { type SweepContext, withSweepLock } from './process-in-batches';

/** Calls per transaction. */
const BATCH = 1_000;

/**
 * Removes the client addresses from the calls of deleted accounts.
 * @returns how many were removed
 */
export async function removeAddresses({ runtime, signal }: SweepContext): Promise<number> {
  let removed = 0;
  while (!signal.aborted) {
    const cleared = await withSweepLock(runtime, (tx) => clearAddresses(tx, BATCH));
    if (cleared === null) break;
    removed += cleared;
  }
  return removed;
}

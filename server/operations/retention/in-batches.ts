import type { Executor } from '@/db/client';
import type { Runtime } from '../../core/runtime';
import { takeSweepLock } from './store';

/** Rows a transaction removes: few enough that nobody waits for its locks. */
const BATCH = 500;
/** The most of one kind in one sweep; the next sweep goes on. */
const MAX_BATCHES = 2000;

/** What one sweep works with. */
export interface Sweeping {
  runtime: Runtime;
  /** Aborted when the process stops: a sweep ends after the transaction it is in. */
  signal: AbortSignal;
}

/** Runs in a transaction of its own; null, and nothing done, where another process sweeps at this instant. */
export async function underSweepLock<T>(
  runtime: Runtime,
  work: (tx: Executor) => Promise<T>,
): Promise<T | null> {
  return await runtime.db.transaction(async (tx) => ((await takeSweepLock(tx)) ? await work(tx) : null));
}

/**
 * Removes in short transactions until nothing is left, another process sweeps, or this one stops.
 * @param removeBatch removes at most so many and says how many
 * @returns how many were removed
 */
export async function inBatches(
  { runtime, signal }: Sweeping,
  removeBatch: (tx: Executor, limit: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (let i = 0; i < MAX_BATCHES && !signal.aborted; i++) {
    const removed = await underSweepLock(runtime, (tx) => removeBatch(tx, BATCH));
    total += removed ?? 0;
    if (removed === null || removed < BATCH) break;
  }
  return total;
}

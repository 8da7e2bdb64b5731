import type { Executor } from '@/db/client';
import type { Runtime } from '../../core/runtime';
import { acquireSweepLock } from './store';

/** Rows removed per transaction: few enough that its locks delay no other statement. */
const BATCH = 500;
/** The most batches of one kind per sweep; the next sweep continues. */
const MAX_BATCHES = 2000;

/** The context of one sweep. */
export interface SweepContext {
  runtime: Runtime;
  /** Aborted when the process stops; a sweep ends after its current transaction. */
  signal: AbortSignal;
}

/**
 * Runs work in its own transaction; null without running it if another process sweeps right now.
 */
export async function withSweepLock<T>(
  runtime: Pick<Runtime, 'db'>,
  work: (tx: Executor) => Promise<T>,
): Promise<T | null> {
  return await runtime.db.transaction(async (tx) => ((await acquireSweepLock(tx)) ? await work(tx) : null));
}

/**
 * Removes rows in short transactions until none remain, another process sweeps, or this one stops.
 * @param removeBatch removes at most `limit` rows and returns how many
 * @returns how many were removed
 */
export async function processInBatches(
  { runtime, signal }: SweepContext,
  removeBatch: (tx: Executor, limit: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (let i = 0; i < MAX_BATCHES && !signal.aborted; i++) {
    const removed = await withSweepLock(runtime, (tx) => removeBatch(tx, BATCH));
    total += removed ?? 0;
    if (removed === null || removed < BATCH) break;
  }
  return total;
}

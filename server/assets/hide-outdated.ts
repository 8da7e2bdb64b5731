import type { Executor } from '@/db/client';
import { markOutdated } from './store';

/** An upload has five minutes, a file that a call makes far less: what is not whole by then never will be. */
const UNFINISHED_MINUTES = 60;

/**
 * Hides assets whose time is over, and those whose writer died midway.
 * @returns how many, at most `limit`
 */
export async function hideOutdated(tx: Executor, limit: number): Promise<number> {
  return await markOutdated(tx, UNFINISHED_MINUTES, limit);
}

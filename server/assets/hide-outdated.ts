import type { Executor } from '@/db/client';
import { markOutdated } from './store';

/**
 * Uploads may take five minutes, files of calls less: after this time an unfinished write is dead.
 */
const UNFINISHED_MINUTES = 60;

/**
 * Hides expired assets and assets with an interrupted write.
 * @returns how many were hidden, at most `limit`
 */
export async function hideOutdated(tx: Executor, limit: number): Promise<number> {
  return await markOutdated(tx, UNFINISHED_MINUTES, limit);
}

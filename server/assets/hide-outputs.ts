import type { Sql } from '@/db/client';
import { markOutputsDeleted } from './store';

/**
 * Hides the files of calls that a cancel or the reaper ended without a charge. The sweep removes
 * the bytes, then the rows.
 */
export async function hideOutputs(sql: Sql, callIds: readonly string[]): Promise<void> {
  if (callIds.length > 0) await markOutputsDeleted(sql, callIds);
}

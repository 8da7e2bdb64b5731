import type { Sql } from '@/db/client';
import { markOutputsDeleted } from './store';

/**
 * Hides what calls have made that others than their own run ended for nothing: a cancel, or the reaper. The sweep removes
 * the bytes, then the rows.
 */
export async function hideOutputs(sql: Sql, callIds: readonly string[]): Promise<void> {
  if (callIds.length > 0) await markOutputsDeleted(sql, callIds);
}

import { connect, type Sql } from '@/db/client';
import { isLockTimeout } from './lock-timeout';
import { attachRequestIndex, createRequestIndex, listMonthsWithoutRequestIndex } from './origin-store';
import { type SweepContext, withSweepLock } from './process-in-batches';

/**
 * Creates the index by request id of large months of an upgraded database, which the migration left
 * out because it would have blocked calls. Concurrently, on a connection without a time limit; one
 * month per sweep.
 * @returns how many months got it
 */
export async function indexRequests({ runtime, signal }: SweepContext): Promise<number> {
  const months = await withSweepLock(runtime, listMonthsWithoutRequestIndex);
  const month = months?.[0];
  if (month === undefined || signal.aborted) return 0;
  const patient = connect(runtime.settings.databaseUrl, 1, { patient: true });
  try {
    return (await buildIndex(patient.sql, month)) ? 1 : 0;
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    runtime.log.warn('sweep.usage_index_busy', { month });
    return 0;
  } finally {
    await patient.close();
  }
}

/** False if another process builds one now: two would wait for each other. */
async function buildIndex(sql: Sql, month: string): Promise<boolean> {
  if (!(await createRequestIndex(sql, month))) return false;
  await attachRequestIndex(sql, month);
  return true;
}

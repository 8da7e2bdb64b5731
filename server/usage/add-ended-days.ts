import type { Executor } from '@/db/client';
import { insertEndedDays } from './days-store';

/**
 * Sums up the days (UTC) that are over, so that months are told from them; one transaction, once a day.
 * @returns how many rows were added; 0 where nothing was due
 */
export async function addEndedDays(tx: Executor): Promise<number> {
  return await insertEndedDays(tx);
}

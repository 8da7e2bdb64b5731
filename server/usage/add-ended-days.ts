import type { Executor } from '@/db/client';
import { insertEndedDays } from './days-store';

/**
 * Adds the hours that are over to their days (UTC), so that months are told from them; one transaction.
 * @returns how many rows were added or grew; 0 where nothing was due
 */
export async function addEndedDays(tx: Executor): Promise<number> {
  return await insertEndedDays(tx);
}

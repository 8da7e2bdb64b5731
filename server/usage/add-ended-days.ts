import type { Executor } from '@/db/client';
import { insertEndedDays } from './days-store';

/**
 * Adds completed hours to their days (UTC), from which longer periods are read. Runs in one
 * transaction.
 * @returns how many rows were added or updated; 0 if none was due
 */
export async function addEndedDays(tx: Executor): Promise<number> {
  return await insertEndedDays(tx);
}

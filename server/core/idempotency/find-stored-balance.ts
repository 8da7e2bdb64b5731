import type { Runtime } from '../runtime';
import { findStoredResponse } from './store';

/** The balance in micro-dollars from the stored response of a call; null if nothing is stored. */
export async function findStoredBalance(
  { sql }: Pick<Runtime, 'sql'>,
  callId: string,
): Promise<bigint | null> {
  return (await findStoredResponse(sql, callId))?.available ?? null;
}

import type { Runtime } from '../runtime';
import { findKept } from './store';

/** The balance in micro-dollars from the stored response of a call; null if nothing is stored. */
export async function findKeptCredit({ sql }: Runtime, callId: string): Promise<bigint | null> {
  return (await findKept(sql, callId))?.available ?? null;
}

import type { Runtime } from '../runtime';
import { findKept } from './store';

/** The credit in micro-dollars that the answer kept for this call tells; null where none is kept. */
export async function findKeptCredit({ sql }: Runtime, callId: string): Promise<bigint | null> {
  return (await findKept(sql, callId))?.available ?? null;
}

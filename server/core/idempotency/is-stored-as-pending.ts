import type { Runtime } from '../runtime';
import { findKept } from './store';

/**
 * Whether the stored response of this call's Idempotency-Key is 202: then every request gets that,
 * the first one too.
 */
export async function isStoredAsPending({ sql }: Runtime, callId: string): Promise<boolean> {
  return (await findKept(sql, callId))?.status === 202;
}

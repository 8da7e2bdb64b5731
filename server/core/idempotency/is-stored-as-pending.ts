import type { Runtime } from '../runtime';
import { findStoredResponse } from './store';

/**
 * Whether a 202 is stored for this call. If so, all its requests return 202, also the first one.
 */
export async function isStoredAsPending({ sql }: Pick<Runtime, 'sql'>, callId: string): Promise<boolean> {
  return (await findStoredResponse(sql, callId))?.status === 202;
}

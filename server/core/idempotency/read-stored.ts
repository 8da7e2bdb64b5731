import type { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { toStoredError } from './replay-response';
import { findStoredResponse } from './store';

type Store = Pick<Runtime, 'sql'>;

/**
 * Whether a 202 is stored for this call. If so, all its requests return 202, also the first one.
 */
export async function isStoredAsPending({ sql }: Store, callId: string): Promise<boolean> {
  return (await findStoredResponse(sql, callId))?.status === 202;
}

/** The balance in micro-dollars from the stored response of a call; null if nothing is stored. */
export async function findStoredBalance({ sql }: Store, callId: string): Promise<bigint | null> {
  return (await findStoredResponse(sql, callId))?.available ?? null;
}

/**
 * Finds the stored failure of a call that a cancel or an expired lease has completed. Null if the
 * Idempotency-Key was released, so that the request can be sent again.
 */
export async function findStoredFailure({ sql }: Store, callId: string): Promise<GatewayError | null> {
  const stored = await findStoredResponse(sql, callId);
  return stored && stored.status >= 400 ? toStoredError(stored) : null;
}

import type { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { keptError } from './give-again';
import { findKept } from './store';

/**
 * Finds the stored failure of a call that a cancel or an expired lease has completed. Null if the
 * Idempotency-Key was released, so that the request can be sent again.
 */
export async function findKeptFailure({ sql }: Runtime, callId: string): Promise<GatewayError | null> {
  const kept = await findKept(sql, callId);
  return kept && kept.status >= 400 ? keptError(kept) : null;
}

import type { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { toStoredError } from './replay-response';
import { findStoredResponse } from './store';

/**
 * Finds the stored failure of a call that a cancel or an expired lease has completed. Null if the
 * Idempotency-Key was released, so that the request can be sent again.
 */
export async function findStoredFailure(
  { sql }: Pick<Runtime, 'sql'>,
  callId: string,
): Promise<GatewayError | null> {
  const kept = await findStoredResponse(sql, callId);
  return kept && kept.status >= 400 ? toStoredError(kept) : null;
}

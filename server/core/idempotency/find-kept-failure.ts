import type { GatewayError } from '../errors/gateway-error';
import type { Runtime } from '../runtime';
import { keptError } from './give-again';
import { findKept } from './store';

/**
 * What the Idempotency-Key of this call answers, where somebody else has ended it: by a cancel, or because its lease had
 * run out. Null where the key was let go, so that the request may be sent again.
 */
export async function findKeptFailure({ sql }: Runtime, callId: string): Promise<GatewayError | null> {
  const kept = await findKept(sql, callId);
  return kept && kept.status >= 400 ? keptError(kept) : null;
}

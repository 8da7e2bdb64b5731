import { idempotencyAccountId, type RunOnceContext, readIdempotencyKey } from './run-once';
import { hasStoredResponse } from './store';

/**
 * Whether a response is stored under the Idempotency-Key, for checks before the request body has
 * arrived. `runOnce` then decides what the response is and whether the request is the same.
 * @throws GatewayError INVALID_INPUT for a malformed key
 */
export async function isResponseStored({
  runtime,
  idempotencyKey,
  actor,
}: Pick<RunOnceContext, 'runtime' | 'idempotencyKey' | 'actor'>): Promise<boolean> {
  if (idempotencyKey === undefined) return false;
  const accountId = idempotencyAccountId(actor);
  return await hasStoredResponse(runtime.sql, {
    accountId,
    key: readIdempotencyKey(idempotencyKey),
    part: 0,
  });
}

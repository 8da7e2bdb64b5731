import { idempotencyAccountId, type OnceContext, readIdempotencyKey } from './once';
import { hasAnswer } from './store';

/**
 * Whether a response is stored under the Idempotency-Key, for checks before the request body has
 * arrived. `runOnce` then decides what the response is and whether the request is the same.
 * @throws GatewayError INVALID_INPUT for a malformed key
 */
export async function isAnswered({
  runtime,
  idempotencyKey,
  actor,
}: Pick<OnceContext, 'runtime' | 'idempotencyKey' | 'actor'>): Promise<boolean> {
  if (idempotencyKey === undefined) return false;
  const accountId = idempotencyAccountId(actor);
  return await hasAnswer(runtime.sql, { accountId, key: readIdempotencyKey(idempotencyKey), part: 0 });
}

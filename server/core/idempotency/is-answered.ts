import { idempotencyAccountId, type OnceContext, readIdempotencyKey } from './once';
import { hasAnswer } from './store';

/**
 * Whether an answer is kept under the Idempotency-Key of a request. For who must know before the
 * request has come whole: what it is, and whether it is the same, `once` decides afterwards.
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

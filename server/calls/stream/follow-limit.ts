import { GatewayError } from '../../core/errors/gateway-error';
import type { KeyContext } from '../../core/trpc/context';
import { AccountSemaphore } from '../../kit/account-semaphore';
import { createJobSource, type Source, type StreamedCall } from './stream-source';

/** Replayed and resumed streams per account and process that follow a job. */
const MAX_FOLLOWING_PER_ACCOUNT = 100;
const TOO_MANY = 'This account has too many streams open. Poll the job instead.';
const RETRY_AFTER_SECONDS = 5;

const following = new AccountSemaphore(MAX_FOLLOWING_PER_ACCOUNT);

/**
 * Follows a job for a stream that uses no quota, so their number is limited.
 * @throws GatewayError UNAVAILABLE
 */
export function followWithinLimit(context: KeyContext, call: StreamedCall): Source {
  const leave = following.tryAcquire(context.actor.accountId);
  if (!leave)
    throw new GatewayError('UNAVAILABLE', {
      message: TOO_MANY,
      details: { retry_after: RETRY_AFTER_SECONDS },
    });
  const source = createJobSource(context, call);
  void source.ended.then(leave);
  return source;
}

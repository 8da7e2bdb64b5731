import { GatewayError } from '../../core/errors/gateway-error';
import { toReplayedBody, toStoredError } from '../../core/idempotency/replay-response';
import type { StoredResponse } from '../../core/idempotency/store';
import type { KeyContext } from '../../core/trpc/context';
import { AccountSemaphore } from '../../kit/account-semaphore';
import type { CallOutcome } from '../execution/call-run';
import type { CallResult } from '../result/schema';
import type { CallInput } from '../schema';
import { createJobSource, type Source, type StreamedCall, streamEvents } from './stream-call';

/** Replayed streams per account and process that follow a job. */
const MAX_FOLLOWING_PER_ACCOUNT = 100;
const TOO_MANY = 'This account has too many replayed streams open. Poll the job instead.';
const replayLimiter = new AccountSemaphore(MAX_FOLLOWING_PER_ACCOUNT);

/**
 * Streams a stored response as events: started, rate_limit, then result or error. A stored 202 is
 * followed to the end of the job, because a stream never turns into a 202 (contract section 6).
 * @returns the response for a client that does not read events; the events are in
 *   `context.reply.events`
 */
export function streamReplay(
  context: KeyContext,
  { tool, skill }: CallInput,
  kept: StoredResponse,
): CallResult {
  const call = { id: kept.callId ?? '', tool, skill };
  const isPending = kept.status === 202;
  const source = isPending ? followReplayedJob(context, call) : createReplaySource(call, kept);
  context.reply.events = streamEvents(context, source);
  if (!isPending) return { id: call.id, status: 'pending' };
  context.reply.becomeJob = async () => true;
  return toReplayedBody<CallResult>(kept);
}

/** A replay uses no quota, so the number of replays that follow a job is limited. */
function followReplayedJob(context: KeyContext, call: StreamedCall): Source {
  const leave = replayLimiter.tryAcquire(context.actor.accountId);
  if (!leave) throw new GatewayError('UNAVAILABLE', { message: TOO_MANY, details: { retry_after: 5 } });
  const source = createJobSource(context, call);
  void source.ended.then(leave);
  return source;
}

function createReplaySource(call: StreamedCall, kept: StoredResponse): Source {
  const ended: Promise<CallOutcome> = Promise.resolve(
    kept.status < 400
      ? { ok: true, result: toReplayedBody<CallResult>(kept) }
      : { ok: false, error: toStoredError(kept) },
  );
  return {
    call,
    ended,
    since: async () => ({ lines: [], progress: null }),
    more: () => ended.then(() => undefined),
    isJob: () => false,
  };
}

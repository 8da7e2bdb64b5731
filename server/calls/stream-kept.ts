import { GatewayError } from '../core/errors/gateway-error';
import { keptBody, keptError } from '../core/idempotency/give-again';
import type { KeptAnswer } from '../core/idempotency/store';
import type { KeyContext } from '../core/trpc/context';
import { WaitingLimit } from '../kit/waiting-limit';
import type { Ended } from './call-run';
import type { CallResult } from './result/schema';
import type { CallInput } from './schema';
import { eventsOf, ofJob, type Source, type StreamedCall } from './stream-call';

/** Replayed streams per account and process that follow a job. */
const MAX_FOLLOWING_PER_ACCOUNT = 100;
const TOO_MANY = 'This account has too many replayed streams open. Poll the job instead.';
const following = new WaitingLimit(MAX_FOLLOWING_PER_ACCOUNT);

/**
 * Streams a stored response as events: started, rate_limit, then result or error. A stored 202 is
 * followed to the end of the job, because a stream never turns into a 202 (contract section 6).
 * @returns the response for a client that does not read events; the events are in
 *   `context.reply.events`
 */
export function streamKept(context: KeyContext, { tool, skill }: CallInput, kept: KeptAnswer): CallResult {
  const call = { id: kept.callId ?? '', tool, skill };
  const isPending = kept.status === 202;
  const source = isPending ? followJob(context, call) : ofKept(call, kept);
  context.reply.events = eventsOf(context, source);
  if (!isPending) return { id: call.id, status: 'pending' };
  context.reply.becomeJob = async () => true;
  return keptBody<CallResult>(kept);
}

/** A replay uses no quota, so the number of replays that follow a job is limited. */
function followJob(context: KeyContext, call: StreamedCall): Source {
  const leave = following.enter(context.actor.accountId);
  if (!leave) throw new GatewayError('UNAVAILABLE', { message: TOO_MANY, details: { retry_after: 5 } });
  const source = ofJob(context, call);
  void source.ended.then(leave);
  return source;
}

function ofKept(call: StreamedCall, kept: KeptAnswer): Source {
  const ended: Promise<Ended> = Promise.resolve(
    kept.status < 400
      ? { ok: true, result: keptBody<CallResult>(kept) }
      : { ok: false, error: keptError(kept) },
  );
  return {
    call,
    ended,
    since: async () => ({ lines: [], progress: null }),
    more: () => ended.then(() => undefined),
    isJob: () => false,
  };
}

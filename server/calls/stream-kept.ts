import { keptBody, keptError } from '../idempotency/give-again';
import type { KeptAnswer } from '../idempotency/store';
import type { KeyContext } from '../trpc/context';
import type { Ended } from './call-run';
import type { CallInput, CallResult } from './schema';
import { eventsOf, ofJob, type Source, type StreamedCall } from './stream-call';

/**
 * A kept answer as the events it would have had: started, rate_limit, result or error. One that says "it goes on as a
 * job" is followed to the job's end, because a stream does not turn into 202 (contract section 6).
 * @returns what a client that reads no events would be told; the events are in `context.reply.events`
 */
export function streamKept(context: KeyContext, { tool, skill }: CallInput, kept: KeptAnswer): CallResult {
  const call = { id: kept.callId ?? '', tool, skill };
  const source = kept.status === 202 ? ofJob(context, call) : ofKept(call, kept);
  context.reply.events = eventsOf(context, source);
  return { id: call.id, status: 'pending' };
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

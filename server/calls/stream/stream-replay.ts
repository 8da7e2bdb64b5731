import { toReplayedBody, toReplayedError } from '../../core/idempotency/replay-response';
import type { StoredResponse } from '../../core/idempotency/store';
import type { CallEvent, KeyContext } from '../../core/trpc/context';
import type { CallOutcome } from '../execution/call-run';
import { toJobId } from '../jobs/job-ids';
import type { CallResult } from '../result/schema';
import type { CallInput } from '../schema';
import { followWithinLimit } from './follow-limit';
import { streamEvents } from './stream-events';
import { createEndedSource, readStoredLog, type StreamedCall } from './stream-source';

/**
 * Streams a stored response as events: started, the log lines if the call was a job, rate_limit,
 * then result or error. A stored 202 is followed to the end of the job, because a stream never
 * turns into a 202 (contract section 6).
 * @returns the response for a client that does not read events; the events are in
 *   `context.reply.events`
 */
export function streamReplay(
  context: KeyContext,
  { tool, skill }: CallInput,
  stored: StoredResponse,
): CallResult {
  const call = { id: stored.callId ?? '', tool, skill };
  if (stored.status !== 202) {
    context.reply.events = replayEvents(context, call, stored);
    return { id: call.id, status: 'pending' };
  }
  context.reply.events = streamEvents(context, followWithinLimit(context, call));
  context.reply.becomeJob = async () => true;
  return toReplayedBody<CallResult>(stored);
}

async function* replayEvents(
  context: KeyContext,
  call: StreamedCall,
  stored: StoredResponse,
): AsyncGenerator<CallEvent> {
  const { runtime, actor } = context;
  const outcome: CallOutcome =
    stored.status < 400
      ? { ok: true, result: toReplayedBody<CallResult>(stored) }
      : { ok: false, error: toReplayedError(stored) };
  // A call that was neither streamed nor long has no job.
  const lookup = { jobId: toJobId(call.id), keyId: actor.keyId, omitRunningLog: true };
  const job = await runtime.readJob(lookup).catch(() => null);
  const log = job ? { log: (seq: number) => readStoredLog(context, call, seq) } : {};
  yield* streamEvents(context, createEndedSource(call, outcome, { isJob: job !== null, ...log }));
}

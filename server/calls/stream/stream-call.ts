import type { RequestEnd, RequestLease } from '../../core/idempotency/run-once';
import type { KeyContext } from '../../core/trpc/context';
import { type AdmittedCall, admitOnce } from '../admission/admit-call';
import type { CallAttempt } from '../execution/call-attempt';
import type { PreparedCall } from '../prepare/prepare-call';
import { withPreparedCall } from '../prepare/with-prepared-call';
import type { CallResult } from '../result/schema';
import { type EndedFirst, runFirstOrAdmit } from '../run-first/run-first';
import type { CallInput } from '../schema';
import { toPendingResult } from '../settlement/describe-result';
import { streamEvents } from './stream-events';
import { streamReplay } from './stream-replay';
import {
  createEndedSource,
  createJobSource,
  createRunSource,
  type Source,
  type StreamedCall,
} from './stream-source';

/**
 * Runs one call and streams its events (contract sections 6 and 12). The call is a job from the
 * start, so it continues when the client disconnects, and the stream can be resumed.
 * @returns the response for a client that does not read events; the events are in
 *   `context.reply.events`
 * @throws GatewayError every refusal, as `runCall`
 */
export function streamCall(context: KeyContext, call: CallInput): Promise<CallResult> {
  return withPreparedCall(context, call, streamPrepared, (stored) => streamReplay(context, call, stored));
}

async function streamPrepared(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
): Promise<RequestEnd<CallResult>> {
  const end = await runFirstOrAdmit(context, call, lease, { streamed: true, admit: admitOnce });
  if ('refused' in end) return { error: end.error, record: 'release' };
  const response =
    'outcome' in end ? streamEnded(context, call, end) : streamAdmitted(context, end.admitted, end.attempt);
  return { response, record: 'keep' };
}

function streamEnded(context: KeyContext, call: PreparedCall, { outcome, windows }: EndedFirst): CallResult {
  const isJob = context.runtime.settings.jobs !== 'off';
  const limits = { windows, rules: call.rules };
  context.reply.events = streamEvents(
    context,
    createEndedSource(toStreamed(call), outcome, { isJob, limits }),
  );
  return toPendingResult(context.runtime, call, 0);
}

function streamAdmitted(
  context: KeyContext,
  admitted: AdmittedCall,
  attempt: CallAttempt | undefined,
): CallResult {
  const call = toStreamed(admitted);
  // The same object for clients without events and for the stored response.
  const pending = toPendingResult(context.runtime, admitted, 0);
  const source = admitted.queued
    ? createQueuedSource(context, admitted, call)
    : createRunSource(context, admitted, { call, pending, attempt });
  context.reply.events = streamEvents(context, source);
  return pending;
}

function toStreamed({ id, tool, skill }: PreparedCall): StreamedCall {
  return { id, tool: tool.name, skill: skill.name };
}

function createQueuedSource(context: KeyContext, admitted: AdmittedCall, call: StreamedCall): Source {
  context.runtime.running.cancelWithRequest(context, admitted, null);
  context.reply.becomeJob = async () => true;
  return createJobSource(context, call);
}

import type { RequestEnd, RequestLease } from '../../core/idempotency/run-once';
import type { KeyContext } from '../../core/trpc/context';
import { type AdmittedCall, admitOnce } from '../admission/admit-call';
import type { PreparedCall } from '../prepare/prepare-call';
import { withPreparedCall } from '../prepare/with-prepared-call';
import type { CallResult } from '../result/schema';
import type { CallInput } from '../schema';
import { toPendingResult } from '../settlement/describe-result';
import { streamEvents } from './stream-events';
import { streamReplay } from './stream-replay';
import { createJobSource, createRunSource, type Source, type StreamedCall } from './stream-source';

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
  const admitted = await admitOnce(context, call, lease);
  if ('refused' in admitted) return { error: admitted.error, record: 'release' };
  return { response: streamAdmitted(context, admitted), record: 'keep' };
}

function streamAdmitted(context: KeyContext, admitted: AdmittedCall): CallResult {
  const call = { id: admitted.id, tool: admitted.tool.name, skill: admitted.skill.name };
  // The same object for clients without events and for the stored response.
  const pending = toPendingResult(context.runtime, admitted, 0);
  const source = admitted.queued
    ? createQueuedSource(context, admitted, call)
    : createRunSource(context, admitted, call, pending);
  context.reply.events = streamEvents(context, source);
  return pending;
}

function createQueuedSource(context: KeyContext, admitted: AdmittedCall, call: StreamedCall): Source {
  context.runtime.running.cancelWithRequest(context, admitted, null);
  context.reply.becomeJob = async () => true;
  return createJobSource(context, call);
}

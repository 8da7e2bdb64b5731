import type { KeyContext } from '../../core/trpc/context';
import type { AdmittedCall } from '../admission/admit-call';
import { cancelWithRequest } from '../execution/cancel-with-request';
import type { CallResult } from '../result/schema';
import { toPendingResult } from '../settlement/price-attempt';
import { streamEvents } from './stream-events';
import { createJobSource, createRunSource, type Source, type StreamedCall } from './stream-source';

/**
 * Streams the events of an opened call (contract sections 6 and 12). The call is a job from the
 * start, so it continues when the client disconnects, and the stream can be resumed.
 * @returns the response for a client that does not read events; the events are in
 *   `context.reply.events`
 */
export function streamCall(context: KeyContext, opened: AdmittedCall): CallResult {
  const call = { id: opened.id, tool: opened.tool.name, skill: opened.skill.name };
  // The same object for clients without events and for the stored response.
  const pending = toPendingResult(context.runtime, opened, 0);
  const source = opened.queued
    ? createQueuedSource(context, opened, call)
    : createRunSource(context, opened, call, pending);
  context.reply.events = streamEvents(context, source);
  return pending;
}

function createQueuedSource(context: KeyContext, opened: AdmittedCall, call: StreamedCall): Source {
  cancelWithRequest(context, opened, null);
  context.reply.becomeJob = async () => true;
  return createJobSource(context, call);
}

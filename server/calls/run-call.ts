import { toCallId } from '../core/http/call-request-id';
import { type RequestLease, runOnce } from '../core/idempotency/run-once';
import type { KeyContext } from '../core/trpc/context';
import { newId } from '../kit/ids';
import { type AdmittedCall, admitCall } from './admission/admit-call';
import type { CallAttempt } from './execution/call-attempt';
import { resolveWaitMs, respondToWaiting, startCall } from './execution/start-call';
import { isRerunnable, type PreparedCall, prepareCall, rejectDuringShutdown } from './prepare/prepare-call';
import type { CallResult } from './result/schema';
import { discardAttempt, runFirst, tryBeginFirst } from './run-first/run-first';
import type { CallInput } from './schema';
import { streamCall } from './stream/stream-call';
import { streamReplay } from './stream/stream-replay';

/**
 * Runs one call: prepare, admit, execute, settle. Returns its result if it ends while the request
 * waits; otherwise the call continues as a job and the response is 202 with a poll URL. A call that
 * fails costs nothing.
 * @throws GatewayError every refusal of contract section 3, in its order; HANDLER_ERROR if the tool
 *   failed
 */
export async function runCall(context: KeyContext, call: CallInput): Promise<CallResult> {
  const { runtime, reply } = context;
  rejectDuringShutdown(runtime);
  reply.deprecation ??= runtime.versions.findToolNotice(call.tool, call.skill);
  const id = chooseCallId(context);
  reply.callId = id;
  const rerunnable = isRerunnable(runtime, call);
  const request = { operation: 'call', body: call, callId: id, rerunnable };
  const run = (lease: RequestLease | null) => runPrepared(context, call, id, lease);
  if (!context.wantsEvents) return await runOnce(context, request, run);
  return await runOnce(context, request, run, (stored) => streamReplay(context, call, stored));
}

/** Only the first call of a request has the id that follows from the request's. */
function chooseCallId({ requestId, reply }: KeyContext): string {
  const derived = reply.hasNewRequestId && reply.callId === undefined ? toCallId(requestId) : null;
  return derived ?? newId('call');
}

async function runPrepared(
  context: KeyContext,
  call: CallInput,
  id: string,
  lease: RequestLease | null,
): Promise<CallResult> {
  const began = performance.now();
  const { runtime } = context;
  const prepared = await runtime.observer.span('gateway.call.prepare', {}, () =>
    prepareForCurrentKey(context, call, id),
  );
  let attempt: CallAttempt | undefined;
  let admitted: AdmittedCall;
  const endCount = tryBeginFirst(context, prepared);
  try {
    if (endCount) {
      const end = await runFirst(context, prepared, lease);
      if ('result' in end) return end.result;
      attempt = end.attempt;
    }
    admitted = await admitCall(context, prepared, lease).catch((refusal) => {
      if (attempt) discardAttempt(runtime, attempt);
      throw refusal;
    });
  } finally {
    endCount?.();
  }
  if (context.wantsEvents) return streamCall(context, admitted);
  const started = startCall(context, admitted, lease, { attempt });
  const waitMs = resolveWaitMs(context);
  return await respondToWaiting(context, admitted, started, { waitMs, began, lease });
}

/** If a cached key is refused, prepares the call again for the key as it is now. */
async function prepareForCurrentKey(context: KeyContext, call: CallInput, id: string): Promise<PreparedCall> {
  try {
    return await prepareCall(context, call, id);
  } catch (refusal) {
    if (!context.confirmActor) throw refusal;
    const actor = await context.confirmActor();
    return await prepareCall(Object.assign({}, context, { actor }), call, id);
  }
}

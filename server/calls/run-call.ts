import { toCallId } from '../core/http/call-request-id';
import { keepOnError, type RequestEnd, type RequestLease, withRecord } from '../core/idempotency/run-once';
import type { KeyContext } from '../core/trpc/context';
import { newId } from '../kit/ids';
import { admitCall } from './admission/admit-call';
import { resolveWaitMs, respondToWaiting, startCall } from './execution/start-call';
import { isRerunnable, type PreparedCall, prepareCall, rejectDuringShutdown } from './prepare/prepare-call';
import type { CallResult } from './result/schema';
import { discardAttempt, runFirstOrAdmit } from './run-first/run-first';
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
  const run = async (lease: RequestLease | null) => {
    const began = performance.now();
    const prepared = await runtime.observer.span('gateway.call.prepare', {}, () =>
      prepareForCurrentKey(context, call, id),
    );
    return await keepOnError(() => runPrepared(context, prepared, lease, began));
  };
  if (!context.wantsEvents) return await withRecord(context, request, run);
  return await withRecord(context, request, run, (stored) => streamReplay(context, call, stored));
}

/** Only the first call of a request has the id that follows from the request's. */
function chooseCallId({ requestId, reply }: KeyContext): string {
  const derived = reply.hasNewRequestId && reply.callId === undefined ? toCallId(requestId) : null;
  return derived ?? newId('call');
}

/** @param began start of the request, by `performance.now()` */
async function runPrepared(
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
  began: number,
): Promise<RequestEnd<CallResult>> {
  const end = await runFirstOrAdmit(context, call, lease, async (attempt) => ({
    attempt,
    admitted: await admitCall(context, call, lease),
  }));
  if ('result' in end) return { response: end.result, record: 'keep' };
  const { admitted, attempt } = end;
  if ('refused' in admitted) {
    if (attempt) discardAttempt(context.runtime, attempt);
    return { error: admitted.error, record: 'release' };
  }
  if (context.wantsEvents) return { response: streamCall(context, admitted), record: 'keep' };
  const started = startCall(context, admitted, lease, { attempt });
  return await respondToWaiting(context, admitted, started, { waitMs: resolveWaitMs(context), began });
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

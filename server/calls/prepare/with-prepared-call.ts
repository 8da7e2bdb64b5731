import { toCallId } from '../../core/http/call-request-id';
import { keepOnError, type RequestEnd, type RequestLease, withRecord } from '../../core/idempotency/run-once';
import type { StoredResponse } from '../../core/idempotency/store';
import type { KeyActor } from '../../core/trpc/actor';
import type { KeyContext } from '../../core/trpc/context';
import { newId } from '../../kit/ids';
import type { CallResult } from '../result/schema';
import type { CallInput } from '../schema';
import { type PreparedCall, prepareCall } from './prepare-call';

/** Runs a prepared call. `began`: when its request began, by `performance.now()`. */
type RunPrepared = (
  context: KeyContext,
  call: PreparedCall,
  lease: RequestLease | null,
  began: number,
) => Promise<RequestEnd<CallResult>>;

/**
 * Prepares the call of a request and runs it, once per Idempotency-Key.
 * @param run from here on an error keeps the record: the call may have started
 * @param replay how to replay the stored response, if not unchanged
 * @throws GatewayError every refusal of contract section 3, in its order
 */
export async function withPreparedCall(
  context: KeyContext,
  call: CallInput,
  run: RunPrepared,
  replay?: (stored: StoredResponse) => CallResult,
): Promise<CallResult> {
  const { runtime, reply } = context;
  runtime.running.refuseWhileStopping();
  reply.deprecation ??= runtime.versions.findToolNotice(call.tool, call.skill);
  const id = chooseCallId(context);
  reply.callId = id;
  const request = {
    operation: 'call',
    body: call,
    callId: id,
    rerunnable: runtime.tools.isIdempotent(call.tool, call.skill),
  };
  const prepareAndRun = async (lease: RequestLease | null) => {
    const began = performance.now();
    const prepared = await runtime.observer.span('gateway.call.prepare', {}, () =>
      prepareForCurrentKey(context, call, id),
    );
    return await keepOnError(() => run(context, prepared, lease, began));
  };
  return await withRecord(context, request, prepareAndRun, replay);
}

/** A request with a generated id has one call, whose id follows from it. */
function chooseCallId({ requestId, reply }: KeyContext): string {
  return (reply.hasNewRequestId ? toCallId(requestId) : null) ?? newId('call');
}

/** What preparing a call reads of its key. */
const PREPARED_FROM = [
  'accountId',
  'accountType',
  'application',
  'prepaid',
  'rulesVersion',
  'teamSlug',
  'userId',
] as const satisfies readonly (keyof KeyActor)[];

/** Prepares the call, and again if it is refused for a cached key that has changed since. */
async function prepareForCurrentKey(context: KeyContext, call: CallInput, id: string): Promise<PreparedCall> {
  try {
    return await prepareCall(context, call, id);
  } catch (refusal) {
    const { actor: cached, confirmActor } = context;
    const actor = await confirmActor?.();
    if (!actor || PREPARED_FROM.every((field) => actor[field] === cached[field])) throw refusal;
    return await prepareCall(Object.assign({}, context, { actor }), call, id);
  }
}

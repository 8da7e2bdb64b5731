import { GatewayError } from '../core/errors/gateway-error';
import { type RequestLease, runOnce } from '../core/idempotency/run-once';
import type { Runtime } from '../core/runtime';
import type { KeyContext } from '../core/trpc/context';
import { newId } from '../kit/ids';
import { admitCall, type PreparedCall, prepareCall } from './admit-call';
import { CallFailure } from './call-failure';
import { canTakeFastPath, runFastPath } from './fast-path';
import { chooseOpenStatement } from './queued-call';
import type { CallResult } from './result/schema';
import type { CallInput } from './schema';
import { resolveWaitMs, respondToWaiting, startCall } from './start-call';
import { streamCall } from './stream-call';
import { streamReplay } from './stream-replay';

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
  const id = newId('call');
  reply.callId = id;
  const request = { operation: 'call', body: call, callId: id, rerunnable: isRerunnable(runtime, call) };
  const run = (lease: RequestLease | null) => runPrepared(context, call, id, lease);
  if (!context.wantsEvents) return await runOnce(context, request, run);
  return await runOnce(context, request, run, (stored) => streamReplay(context, call, stored));
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
  if (lease === null && canTakeFastPath(context, prepared)) {
    const result = await runFastPath(context, prepared);
    if (result) return result;
  }
  const statement = chooseOpenStatement(runtime, prepared);
  const admitted = await runtime.observer.span('gateway.call.open', {}, () =>
    admitCall(context, prepared, lease, statement),
  );
  if (context.wantsEvents) return streamCall(context, admitted);
  const started = startCall(context, admitted, lease);
  const response = respondToWaiting(context, admitted, started, resolveWaitMs(context), began);
  return await releaseIfRejected(lease, response);
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

/**
 * If the tool rejected the input, releases the Idempotency-Key, so that a corrected request can use
 * it.
 */
export async function releaseIfRejected<T>(claim: RequestLease | null, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (claim && error instanceof CallFailure && error.code !== 'HANDLER_ERROR') claim.refused = true;
    throw error;
  }
}

/** Whether the call may be rerun after a crash: its skill is annotated idempotent. */
export function isRerunnable({ tools }: Runtime, call: Pick<CallInput, 'tool' | 'skill'>): boolean {
  const tool = tools.findTool(call.tool);
  return (tool && tools.findSkill(tool, call.skill)?.annotations.idempotent) ?? false;
}

/** @throws GatewayError UNAVAILABLE once the process is shutting down */
export function rejectDuringShutdown({ running }: Runtime): void {
  if (running.stopping)
    throw new GatewayError('UNAVAILABLE', {
      message: 'This gateway process is shutting down.',
      details: { retry_after: 1, billed: false },
    });
}

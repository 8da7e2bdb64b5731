import { GatewayError } from '../core/errors/gateway-error';
import { type RequestLease, runOnce } from '../core/idempotency/run-once';
import type { Runtime } from '../core/runtime';
import type { KeyContext } from '../core/trpc/context';
import { newId } from '../kit/ids';
import { admitCall, prepareCall } from './admit-call';
import { CallFailure } from './call-failure';
import { canTakeFastPath, runFastPath } from './fast-path';
import { chooseOpenStatement } from './queued-call';
import type { CallResult } from './result/schema';
import type { CallInput } from './schema';
import { resolveWaitMs, respondToWaiting, startCall } from './start-call';
import { streamCall } from './stream-call';
import { streamReplay } from './stream-replay';

/**
 * Runs one call. Returns its result if it ends while the request waits; otherwise the call
 * continues as a job and the response is 202 with a poll URL. A call that fails costs nothing.
 * @throws GatewayError every refusal of contract section 3, in its order; HANDLER_ERROR if the tool
 *   failed
 */
export async function runCall(context: KeyContext, call: CallInput): Promise<CallResult> {
  rejectDuringShutdown(context.runtime);
  context.reply.deprecation ??= context.runtime.versions.findToolNotice(call.tool, call.skill);
  const id = newId('call');
  context.reply.callId = id;
  const request = {
    operation: 'call',
    body: call,
    callId: id,
    rerunnable: isRerunnable(context.runtime, call),
  };
  const run = async (claim: RequestLease | null) => {
    const began = performance.now();
    const { tracing } = context.runtime.observer;
    const ready = tracing
      ? await tracing.span('gateway.call.prepare', {}, () => prepareCall(context, call, id))
      : await prepareCall(context, call, id);
    if (claim === null && canTakeFastPath(context, ready)) {
      const settled = await runFastPath(context, ready);
      if (settled) return settled;
    }
    const openStatement = chooseOpenStatement(context.runtime, ready);
    const opened = tracing
      ? await tracing.span('gateway.call.open', {}, () => admitCall(context, ready, claim, openStatement))
      : await admitCall(context, ready, claim, openStatement);
    if (context.wantsEvents) return streamCall(context, opened);
    const begun = startCall(context, opened, claim);
    return await releaseIfRejected(
      claim,
      respondToWaiting(context, opened, begun, resolveWaitMs(context), began),
    );
  };
  if (context.wantsEvents)
    return await runOnce(context, request, run, (stored) => streamReplay(context, call, stored));
  return await runOnce(context, request, run);
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

import { GatewayError } from '../core/errors/gateway-error';
import { type Claim, once } from '../core/idempotency/once';
import type { Runtime } from '../core/runtime';
import type { KeyContext } from '../core/trpc/context';
import { newId } from '../kit/ids';
import { answerBegun, beginCall, waitMsOf } from './begin-call';
import { CallFailure } from './call-failure';
import { openCall, readyCall } from './open-call';
import { openerOf } from './queued-call';
import type { CallResult } from './result/schema';
import type { CallInput } from './schema';
import { isInstant, settleCall } from './settle-call';
import { streamCall } from './stream-call';
import { streamKept } from './stream-kept';

/**
 * Runs one call. Returns its result if it ends while the request waits; otherwise the call
 * continues as a job and the response is 202 with a poll URL. A call that fails costs nothing.
 * @throws GatewayError every refusal of contract section 3, in its order; HANDLER_ERROR if the tool
 *   failed
 */
export async function runCall(context: KeyContext, call: CallInput): Promise<CallResult> {
  refuseWhileStopping(context.runtime);
  context.reply.deprecation ??= context.runtime.versions.ofTool(call.tool, call.skill);
  const id = newId('call');
  context.reply.callId = id;
  const request = {
    operation: 'call',
    body: call,
    callId: id,
    rerunnable: isRerunnable(context.runtime, call),
  };
  const act = async (claim: Claim | null) => {
    const began = performance.now();
    const { tracing } = context.runtime.observer;
    const ready = tracing
      ? await tracing.span('gateway.call.prepare', {}, () => readyCall(context, call, id))
      : await readyCall(context, call, id);
    if (claim === null && isInstant(context, ready)) {
      const settled = await settleCall(context, ready);
      if (settled) return settled;
    }
    const opener = openerOf(context.runtime, ready);
    const opened = tracing
      ? await tracing.span('gateway.call.open', {}, () => openCall(context, ready, claim, opener))
      : await openCall(context, ready, claim, opener);
    if (context.wantsEvents) return streamCall(context, opened);
    const begun = beginCall(context, opened, claim);
    return await freeIfRefused(claim, answerBegun(context, opened, begun, waitMsOf(context), began));
  };
  if (context.wantsEvents)
    return await once(context, request, act, (kept) => streamKept(context, call, kept));
  return await once(context, request, act);
}

/**
 * If the tool rejected the input, releases the Idempotency-Key, so that a corrected request can use
 * it.
 */
export async function freeIfRefused<T>(claim: Claim | null, answer: Promise<T>): Promise<T> {
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
export function refuseWhileStopping({ running }: Runtime): void {
  if (running.stopping)
    throw new GatewayError('UNAVAILABLE', {
      message: 'This gateway process is shutting down.',
      details: { retry_after: 1, billed: false },
    });
}

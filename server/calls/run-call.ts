import { usdFromMicrousd } from '../billing/money';
import { GatewayError } from '../errors/gateway-error';
import { newId } from '../ids';
import { callRateHeaders } from '../limits/rate-headers';
import type { KeyContext } from '../trpc/context';
import { fieldErrors } from '../trpc/format-error';
import { type Attempt, attemptCall } from './attempt-call';
import { chooseBilling } from './choose-billing';
import { planCall } from './plan-call';
import type { FoundSkill, PreparedCall } from './prepare-call';
import { type CallCost, settleCall, total } from './price-call';
import { refusalError } from './refusal-error';
import type { CallInput, CallResult } from './schema';
import type { OpenRequest, OpenResult } from './store';

/** How often a key that moved with a claim is looked up again before the call is given up. */
const MAX_MOVES = 3;
const NOTHING: CallCost = { markup: 0n, raw: 0n };

type ValidCall = Extract<PreparedCall, { ok: true }>;

/** A call whose hold, slot and row are in the database. */
interface OpenedCall extends FoundSkill {
  id: string;
  billing: string;
  prepared: ValidCall;
  availableAfterHold: bigint;
}

/**
 * One call, synchronous: prepare, open, attempt, close. A call that fails costs nothing.
 * @throws GatewayError every refusal of contract section 3, in its order; HANDLER_ERROR when the tool failed
 */
export async function runCall(context: KeyContext, call: CallInput): Promise<CallResult> {
  const { tool, skill, prepared } = await planCall(context, call);
  if (!prepared.ok) {
    const fields = fieldErrors(prepared.error, 'input');
    throw new GatewayError('INVALID_INPUT', {
      message: fields[0] && `${fields[0].path}: ${fields[0].message}`,
      details: { fields, billed: false },
    });
  }
  const opened = await openCall(context, { tool, skill, prepared, billing: call.billing });
  const { running } = context.runtime;
  running.add(opened.id);
  try {
    const attempt = await attemptCall(skill, {
      input: prepared.input,
      deadlineMs: prepared.deadlineMs,
      signal: running.signal,
      fetch: context.runtime.ports.outbound,
      secret: () => undefined,
    });
    return await closeCall(context, opened, attempt);
  } finally {
    running.delete(opened.id);
  }
}

async function openCall(
  context: KeyContext,
  call: FoundSkill & { prepared: ValidCall; billing: string | undefined },
): Promise<OpenedCall> {
  const { runtime, actor } = context;
  const charged = await chooseBilling(runtime, actor, call.billing);
  const id = newId('call');
  const opened = await openWhereverItMoved(context, {
    id,
    keyId: actor.keyId,
    accountId: charged.accountId,
    billing: charged.billing,
    tool: call.tool.name,
    skill: call.skill.name,
    hold: total(call.prepared.quote),
  });
  Object.assign(context.reply.headers, callRateHeaders(opened.windows, runtime.quotas));
  if (opened.outcome !== 'opened') throw refusalError(opened, runtime, call.prepared.quote);
  return { ...call, id, billing: charged.billing, availableAfterHold: opened.available };
}

/** Opens the call; where a claim has just moved the key, on the account it moved to. */
async function openWhereverItMoved(context: KeyContext, request: OpenRequest): Promise<OpenResult> {
  const { flush } = context.runtime;
  let current = request;
  for (let moves = 0; ; moves++) {
    const opened = await flush.openCall(current);
    context.reply.keyConfirmed = true;
    if (opened.outcome !== 'moved' || moves >= MAX_MOVES) return opened;
    const key = await flush.resolveKey(context.actor.keyHash);
    if (!key || key.revoked) return { ...opened, outcome: 'revoked' };
    current = { ...current, accountId: key.accountId };
  }
}

async function closeCall(context: KeyContext, call: OpenedCall, attempt: Attempt): Promise<CallResult> {
  const { runtime, actor } = context;
  const cost = attempt.ok
    ? settleCall(call.skill, call.prepared.input, attempt.usage, false, runtime.settings.byokRatePpm)
    : NOTHING;
  const closed = await runtime.flush.closeCall({
    id: call.id,
    keyId: actor.keyId,
    success: attempt.ok,
    markup: cost.markup,
    raw: cost.raw,
    byok: false,
    errorCode: attempt.ok ? null : 'HANDLER_ERROR',
    latencyMs: attempt.latencyMs,
  });
  if (!attempt.ok) {
    runtime.log.warn('tool failed', {
      callId: call.id,
      tool: call.tool.name,
      skill: call.skill.name,
      error: attempt.cause,
    });
    throw new GatewayError('HANDLER_ERROR', { message: attempt.message, details: { billed: false } });
  }
  // Somebody ended the call when our lease had run out: what the handler made came too late to be sold.
  if (closed.state !== 'closed' && closed.state !== 'success')
    throw new GatewayError('HANDLER_ERROR', {
      message: 'The call outlived its lease and was ended.',
      details: { billed: false },
    });
  return {
    id: call.id,
    status: 'success',
    output: attempt.output,
    usage: {
      cost: usdFromMicrousd(total(cost)),
      currency: 'USD',
      credits_remaining: usdFromMicrousd(closed.available ?? call.availableAfterHold),
      raw_cost: usdFromMicrousd(cost.raw),
      markup: usdFromMicrousd(cost.markup),
    },
    meta: {
      tool: call.tool.name,
      skill: call.skill.name,
      latency_ms: attempt.latencyMs,
      billing: call.billing,
      byok: false,
    },
    billed: total(cost) > 0n,
  };
}

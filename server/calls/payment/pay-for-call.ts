import { GatewayError } from '../../core/errors/gateway-error';
import { readIdempotencyKey } from '../../core/idempotency/run-once';
import type { KeyContext, Payer } from '../../core/trpc/context';
import { payOnce, type Refuse } from '../../money/top-ups/pay-once';
import type { Refusal } from '../../money/top-ups/payment-problem';
import { REFUSALS, STANDINGS } from '../../money/top-ups/refusals';
import {
  findPaymentByOrder,
  findTopup,
  isUsedElsewhere,
  type TopupOfAccount,
} from '../../money/top-ups/store';
import { prepareCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import type { CallResult } from '../result/schema';
import type { CallInput } from '../schema';
import { offerCall } from './offer-call';
import { countAsPaid, openOrder } from './open-order';
import { type CallPayment, readCallPayment } from './read-payment';
import { type RunCall, runPaidCall } from './run-paid-call';

/**
 * Answers a call without a key: with the offer to pay for it, or if it is paid, with its result.
 * However often a payment is sent, it is charged once and the call runs once.
 * @param context its actor stands for a client without an account
 * @throws ProblemError 402 with challenges; 400 for an unknown method
 * @throws GatewayError AUTH_REQUIRED where a key is needed, and every failure of a call
 */
export async function payForCall(
  context: KeyContext,
  payer: Payer,
  call: CallInput,
  runCall: RunCall,
): Promise<CallResult> {
  const { runtime, reply, idempotencyKey } = context;
  runtime.running.refuseWhileStopping();
  // Only validated: the challenge identifies the paid repeat.
  if (idempotencyKey !== undefined) readIdempotencyKey(idempotencyKey);
  reply.deprecation ??= runtime.versions.findToolNotice(call.tool, call.skill);
  requirePaidCall(context, call);
  if (payer.kind === 'none') throw await offerCall(context, call);
  const refuse: Refuse = async (refusal) => {
    throw await offerCall(context, call, refusal);
  };
  const paying = await readCallPayment(context, payer, call, refuse);
  const { orderId } = paying.order;
  const found = (await findTopup(runtime.db, orderId)) ?? (await open(context, call, paying, refuse));
  if (!(await pay(context, found, paying, refuse))) await countAsPaid(context);
  const result = await runPaidCall(context, call, orderId, runCall);
  const paid = await findPaymentByOrder(runtime.db, orderId);
  if (!paid) throw new Error(`Order ${orderId} is paid without a payment`);
  Object.assign(reply.headers, { 'Cache-Control': 'private, no-store' }, paying.confirm(paid));
  return result;
}

/** Free skills and dry runs cost nothing, so there is nothing to pay. */
function requirePaidCall({ runtime }: KeyContext, { tool, skill, dry_run }: CallInput): void {
  const { price } = runtime.tools.getSkill(tool, skill).skill;
  if (price.free || dry_run) throw new GatewayError('AUTH_REQUIRED');
}

const RAISED: Refusal = {
  type: 'payment-expired',
  detail: 'The price of the call has risen since this challenge. Nothing was charged.',
};

/** Opens the order, unless the call or its payment would be refused: nothing is charged then. */
async function open(
  context: KeyContext,
  call: CallInput,
  { order, verify }: CallPayment,
  refuse: Refuse,
): Promise<TopupOfAccount> {
  if (order.expiresAt <= context.runtime.ports.clock.now()) return await refuse(STANDINGS.expired);
  const { quote } = await prepareCall(context, call, '');
  if (sumCost(quote) > order.credits) return await refuse(RAISED);
  await verify();
  return await openOrder(context, order);
}

async function pay(
  context: KeyContext,
  found: TopupOfAccount,
  { payment }: CallPayment,
  refuse: Refuse,
): Promise<boolean> {
  try {
    return await payOnce(context, found, payment, refuse);
  } catch (error) {
    if (isUsedElsewhere(error)) return await refuse(REFUSALS.usedElsewhere);
    throw error;
  }
}

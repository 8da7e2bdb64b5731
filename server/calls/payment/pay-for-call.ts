import { GatewayError } from '../../core/errors/gateway-error';
import { readIdempotencyKey } from '../../core/idempotency/run-once';
import type { KeyContext, Payer } from '../../core/trpc/context';
import { type OrderPayment, payOnce, type Refuse, readPayment } from '../../money/top-ups/pay-once';
import { paymentScheme } from '../../money/top-ups/payment-methods';
import { paymentProblem } from '../../money/top-ups/payment-problem';
import { REFUSALS, STANDINGS } from '../../money/top-ups/refusals';
import { findPaymentByOrder, findTopup, type TopupOfAccount } from '../../money/top-ups/store';
import type { GenuineCredential, MachinePayments } from '../../platform/ports/machine-payments';
import { getSkill, prepareCall, rejectDuringShutdown } from '../prepare/prepare-call';
import type { CallResult } from '../result/schema';
import type { CallInput } from '../schema';
import { fingerprintCall, offerCall } from './offer-call';
import { countAsPaid, openOrder } from './open-order';
import { runPaidCall } from './run-paid-call';

/** A credential for a challenge of this call. */
type CallCredential = GenuineCredential & { bought: { purpose: 'call' } };

/**
 * Answers a call without a key: with the offer to pay for it, or if it is paid, with its result.
 * However often a paid credential is sent, it is charged once and the call runs once.
 * @param context its actor stands for a client without an account
 * @throws ProblemError 402 with challenges; 400 for an unknown method
 * @throws GatewayError AUTH_REQUIRED where a key is needed, and every failure of a call
 */
export async function payForCall(context: KeyContext, payer: Payer, call: CallInput): Promise<CallResult> {
  const { runtime, reply, idempotencyKey } = context;
  rejectDuringShutdown(runtime);
  // Only validated: the challenge identifies the paid repeat.
  if (idempotencyKey !== undefined) readIdempotencyKey(idempotencyKey);
  reply.deprecation ??= runtime.versions.findToolNotice(call.tool, call.skill);
  requirePaidCall(context, call);
  if (payer.credential === null) throw await offerCall(context, call);
  const refuse: Refuse = async (refusal) => {
    throw await offerCall(context, call, refusal);
  };
  const { scheme } = await paymentScheme(runtime);
  const read = await readCredential(scheme, payer.credential, call, refuse);
  const payment = await readPayment(runtime, read, refuse);
  const found =
    (await findTopup(runtime.db, read.orderId)) ?? (await open(context, call, read, payment, refuse));
  if (!(await payOnce(context, found, payment, refuse))) await countAsPaid(context);
  const result = await runPaidCall(context, call, read.orderId);
  reply.headers['Cache-Control'] = 'private, no-store';
  reply.headers['Payment-Receipt'] = await writeReceipt(context, scheme, read);
  return result;
}

/** Free skills and dry runs cost nothing, so there is nothing to pay. */
function requirePaidCall({ runtime }: KeyContext, { tool, skill, dry_run }: CallInput): void {
  const { price } = getSkill(runtime.tools, tool, skill).skill;
  if (price.free || dry_run) throw new GatewayError('AUTH_REQUIRED');
}

async function readCredential(
  scheme: MachinePayments,
  credential: string,
  call: CallInput,
  refuse: Refuse,
): Promise<CallCredential> {
  const read = scheme.read(credential);
  if (read.kind === 'unsupported') throw paymentProblem(REFUSALS.unsupported);
  if (read.kind !== 'genuine' || !isForCall(read)) return await refuse(REFUSALS.notOurs);
  if (read.bought.call !== fingerprintCall(call)) return await refuse(REFUSALS.otherBody);
  return read;
}

function isForCall(read: GenuineCredential): read is CallCredential {
  return read.bought.purpose === 'call';
}

/** Opens the order, unless the call would be refused now: nothing is charged then. */
async function open(
  context: KeyContext,
  call: CallInput,
  { orderId, totalCents, expiresAt, bought: { credits } }: CallCredential,
  { mode }: OrderPayment,
  refuse: Refuse,
): Promise<TopupOfAccount> {
  if (expiresAt <= context.runtime.ports.clock.now()) return await refuse(STANDINGS.expired);
  await prepareCall(context, call, '');
  return await openOrder(context, { orderId, credits, totalCents, expiresAt, mode });
}

async function writeReceipt(
  { runtime }: KeyContext,
  scheme: MachinePayments,
  { orderId, method }: CallCredential,
): Promise<string> {
  const payment = await findPaymentByOrder(runtime.db, orderId);
  if (!payment) throw new Error(`Order ${orderId} is paid without a payment`);
  return scheme.receipt({ method, reference: payment.id, paidAt: payment.paidAt });
}

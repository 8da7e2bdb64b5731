import type { RequestContext } from '../../core/trpc/context';
import { MICROUSD_PER_CENT, microusdFromUsd, usdFromMicrousd } from '../../kit/money';
import type { GenuineCredential, MachinePayments } from '../../platform/ports/machine-payments';
import { getBalanceAfter } from '../billing/balance-after';
import { entryRef } from '../payments/apply-payment';
import { offerPayment } from './offer-payment';
import { payOnce, type Refuse, readPayment } from './pay-once';
import { paymentScheme } from './payment-methods';
import { paymentProblem, type Refusal } from './payment-problem';
import { noAccount, REFUSALS, requirePayableAccount } from './refusals';
import type { MachineTopUp, MachineTopUpResult } from './schema';
import { findPaymentByOrder, findTopup, type Topup, type TopupOfAccount } from './store';
import { computeDigest } from './topup';

/**
 * Accepts a payment for a challenge and credits the account that it was issued for, even if the key
 * that requested it is revoked by now. However often the credential is sent, it is charged and
 * credited once, and the response is the same.
 * @throws ProblemError 402 with fresh challenges if the credential does not pay; 400 for an unknown
 *   method
 * @throws GatewayError AUTH_REQUIRED, FORBIDDEN, UNAVAILABLE, IDEMPOTENCY_IN_PROGRESS
 */
export async function payTopup(
  context: RequestContext,
  credential: string,
  input: MachineTopUp,
): Promise<MachineTopUpResult> {
  const digest = computeDigest((await context.rawBody?.()) ?? Buffer.alloc(0));
  const { scheme } = await paymentScheme(context.runtime);
  const read = scheme.read(credential);
  if (read.kind === 'unsupported') throw paymentProblem(REFUSALS.unsupported);
  // A forged credential may name any order: it only selects the account of the fresh challenge,
  // which credits that account.
  const found = 'orderId' in read && read.orderId ? await findTopup(context.runtime.db, read.orderId) : null;
  if (!found) throw noAccount();
  const refuse: Refuse = (refusal) => refuseWithOffer(context, found, { input, digest, refusal });
  if (read.kind !== 'genuine' || read.bought.purpose !== 'topup') return await refuse(REFUSALS.notOurs);
  if (read.bought.digest !== digest) return await refuse(REFUSALS.otherBody);
  const payment = await readPayment(context.runtime, read, refuse);
  if (await payOnce(context, found, payment, refuse)) context.reply.headers['Idempotent-Replayed'] = 'true';
  return await describePaid(context, scheme, found.topup, read);
}

/** Built from what was recorded at payment, so that every repeat is identical. */
async function describePaid(
  { runtime, reply }: RequestContext,
  scheme: MachinePayments,
  { id, creditsMicrousd, totalCents }: Topup,
  { method }: GenuineCredential,
): Promise<MachineTopUpResult> {
  const payment = await findPaymentByOrder(runtime.db, id);
  if (!payment) throw new Error(`Top-up ${id} is paid without a payment`);
  const { paidAt } = payment;
  reply.headers['Cache-Control'] = 'private, no-store';
  reply.headers['Payment-Receipt'] = scheme.receipt({ method, reference: payment.id, paidAt });
  return {
    credited_usd: usdFromMicrousd(creditsMicrousd),
    charged_usd: usdFromMicrousd(BigInt(totalCents) * MICROUSD_PER_CENT),
    balance_usd: usdFromMicrousd(await getBalanceAfter(runtime, entryRef(payment.id, 1))),
    payment_ref: payment.id,
  };
}

/** The fresh challenges are for the order's account and this request's body. */
async function refuseWithOffer(
  { runtime }: RequestContext,
  found: TopupOfAccount,
  { input, digest, refusal }: { input: MachineTopUp; digest: string; refusal: Refusal },
): Promise<never> {
  // Read again: the account may have been closed or frozen since the request arrived.
  requirePayableAccount((await findTopup(runtime.db, found.topup.id)) ?? found);
  const { accountId, createdBy, keyId } = found.topup;
  const creditsMicrousd = microusdFromUsd(input.amount_usd) ?? 0n;
  const wanted = { accountId, createdBy, keyId, creditsMicrousd, digest, by: 'payment' as const };
  throw await offerPayment(runtime, wanted, refusal);
}

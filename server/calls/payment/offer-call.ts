import type { ProblemError } from '../../core/errors/problem-error';
import { fingerprint as computeFingerprint } from '../../core/idempotency/idempotency-key';
import type { KeyContext } from '../../core/trpc/context';
import { newId } from '../../kit/ids';
import { LIFETIME_SECONDS } from '../../money/top-ups/offer-payment';
import { noMethod, paymentScheme } from '../../money/top-ups/payment-methods';
import { paymentProblem, type Refusal } from '../../money/top-ups/payment-problem';
import { formatPrice } from '../../money/top-ups/topup';
import { openX402Scheme } from '../../money/top-ups/x402-scheme';
import { prepareCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import type { CallInput } from '../schema';
import { pricePaidCall, roundUpToCents } from './price-paid-call';

/** Identifies what a challenge pays for, as the record of its response does. */
export function fingerprintCall(call: CallInput): string {
  return computeFingerprint('call', call).toString('hex');
}

/**
 * Creates the response that offers to pay for a call. It stores nothing: all that an order needs is
 * in the challenge, under its signature (docs/decisions/0063).
 * @param refusal why the credential failed, if one was sent
 * @throws GatewayError every refusal of prepareCall; UNAVAILABLE without a method
 */
export async function offerCall(
  context: KeyContext,
  call: CallInput,
  refusal?: Refusal,
): Promise<ProblemError> {
  const { runtime } = context;
  const { quote } = await prepareCall(context, call, '');
  const [{ scheme, methods }, x402] = await Promise.all([paymentScheme(runtime), openX402Scheme(runtime)]);
  if (methods.length === 0 && !x402) throw noMethod();
  const { credits, fee, totalCents } = pricePaidCall(runtime, quote);
  const orderId = newId('topup');
  const expiresAt = new Date(runtime.ports.clock.now().getTime() + LIFETIME_SECONDS * 1000);
  const fingerprint = fingerprintCall(call);
  const amount = roundUpToCents(quote);
  const price =
    methods.length > 0
      ? `${formatPrice(credits + fee)} for ${formatPrice(credits)}`
      : `${formatPrice(amount)}`;
  const paymentRequired: Refusal = {
    type: 'payment-required',
    detail: `Pay ${price} of credit. The call costs at most ${formatPrice(sumCost(quote))}; a key holds the rest.`,
  };
  const reason = refusal ?? paymentRequired;
  return paymentProblem(reason, {
    ...scheme.challenge({
      orderId,
      totalCents,
      bought: { purpose: 'call', call: fingerprint, credits },
      expiresAt,
    }),
    x402: x402?.offer({ orderId, call: fingerprint, amount, expiresAt }, reason.detail),
  });
}

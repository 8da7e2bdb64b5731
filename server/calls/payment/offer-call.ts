import type { ProblemError } from '../../core/errors/problem-error';
import { fingerprint } from '../../core/idempotency/idempotency-key';
import type { KeyContext } from '../../core/trpc/context';
import { newId } from '../../kit/ids';
import { LIFETIME_SECONDS } from '../../money/top-ups/offer-payment';
import { noMethod, paymentScheme } from '../../money/top-ups/payment-methods';
import { paymentProblem, type Refusal } from '../../money/top-ups/payment-problem';
import { formatPrice } from '../../money/top-ups/topup';
import { prepareCall } from '../prepare/prepare-call';
import { sumCost } from '../prepare/price-call';
import type { CallInput } from '../schema';
import { pricePaidCall } from './price-paid-call';

/** Identifies what a challenge pays for; also the fingerprint under which its response is stored. */
export function fingerprintCall(call: CallInput): string {
  return fingerprint('call', call).toString('hex');
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
  const { scheme, methods } = await paymentScheme(runtime);
  if (methods.length === 0) throw noMethod();
  const { credits, fee, totalCents } = pricePaidCall(runtime, quote);
  const offer = scheme.challenge({
    orderId: newId('topup'),
    totalCents,
    bought: { purpose: 'call', call: fingerprintCall(call), credits },
    expiresAt: new Date(runtime.ports.clock.now().getTime() + LIFETIME_SECONDS * 1000),
  });
  const paymentRequired: Refusal = {
    type: 'payment-required',
    detail: `Pay ${formatPrice(credits + fee)} for ${formatPrice(credits)} of credit. The call costs at most ${formatPrice(sumCost(quote))}; a key holds the rest.`,
  };
  return paymentProblem(refusal ?? paymentRequired, offer);
}

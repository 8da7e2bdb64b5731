import { GatewayError } from '../../core/errors/gateway-error';
import type { ProblemError } from '../../core/errors/problem-error';
import { policy, rateHeaders } from '../../core/limits/rate-headers';
import type { Runtime } from '../../core/runtime';
import { placeOrder } from '../payments/place-order';
import { pricePurchase } from '../payments/purchase';
import { getMode, noMethod, paymentScheme } from './payment-methods';
import { paymentProblem, type Refusal } from './payment-problem';
import { countOffers, lockOffers, type Topup } from './store';
import { formatPrice } from './topup';

/** How long a challenge can be paid. */
export const LIFETIME_SECONDS = 600;
const HOUR = 3600;

/**
 * Unpaid offers of an account per hour, as each is a row. Requests without a key get half, so that
 * they cannot lock the key's owner out.
 */
const OFFERS_PER_HOUR = { key: 100, payment: 50 } as const;

/** The amount to pay, the account, and the body that the challenge is bound to. */
export interface TopupRequest extends Pick<Topup, 'accountId' | 'createdBy' | 'keyId' | 'creditsMicrousd'> {
  digest: string;
  /** Whether the request has an API key or a payment credential. */
  by: keyof typeof OFFERS_PER_HOUR;
}

/**
 * Creates an order and the response that offers to pay it: a challenge for each method. Nothing but
 * the order is written before a payment (threats A14).
 * @param refusal why the credential failed, if one was sent
 * @throws GatewayError UNAVAILABLE, RATE_LIMIT_EXCEEDED
 */
export async function offerPayment(
  runtime: Pick<Runtime, 'db' | 'ports' | 'settings'>,
  wanted: TopupRequest,
  refusal?: Refusal,
): Promise<ProblemError> {
  const { scheme, methods } = await paymentScheme(runtime);
  const [preferred] = methods;
  if (!preferred) throw noMethod();
  const { accountId, createdBy, keyId, creditsMicrousd: credits, digest, by } = wanted;
  const { fee, totalCents } = pricePurchase(runtime.settings, credits);
  const { orderId, expiresAt } = await runtime.db.transaction(async (tx) => {
    await lockOffers(tx, accountId);
    const { unpaid, resetSeconds, expiresAt } = await countOffers(tx, accountId, LIFETIME_SECONDS);
    if (unpaid >= OFFERS_PER_HOUR[by]) throw tooMany(OFFERS_PER_HOUR[by], resetSeconds);
    const orderId = await placeOrder(tx, {
      kind: 'machine',
      // Until one of the challenges is used.
      mode: getMode(runtime, preferred.name),
      accountId,
      createdBy,
      keyId,
      creditsMicrousd: credits,
      feeMicrousd: fee,
      totalCents,
      expiresAt,
    });
    return { orderId, expiresAt };
  });
  const offer = scheme.challenge({
    orderId,
    totalCents,
    bought: { purpose: 'topup', digest },
    expiresAt,
  });
  const paymentRequired: Refusal = {
    type: 'payment-required',
    detail: `Pay ${formatPrice(credits + fee)} for ${formatPrice(credits)} of credit.`,
  };
  return paymentProblem(refusal ?? paymentRequired, offer);
}

function tooMany(quota: number, resetSeconds: number): GatewayError {
  return new GatewayError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many top-ups were requested and not paid.',
    hint: `Pay one of the open challenges, or wait ${resetSeconds} seconds.`,
    details: { limit: 'hour', retry_after: resetSeconds },
    headers: rateHeaders([policy('machine-topup', quota, HOUR, quota, resetSeconds)]),
  });
}

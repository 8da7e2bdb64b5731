import { GatewayError } from '../../core/errors/gateway-error';
import type { ProblemError } from '../../core/errors/problem-error';
import { policy, rateHeaders } from '../../core/limits/rate-headers';
import type { Runtime } from '../../core/runtime';
import { placeOrder } from '../payments/place-order';
import { pricePurchase } from '../payments/purchase';
import { modeOf, noMethod, paymentScheme } from './payment-methods';
import { paymentProblem, type Refusal } from './payment-problem';
import { countOffers, lockOffers, type Topup } from './store';
import { inUsd } from './topup';

/** How long a challenge can be paid. */
const LIFETIME_SECONDS = 600;
const HOUR = 3600;

/** Unpaid offers of an account in an hour; each is a row. Without a key only half of them, so that none is locked out. */
const OFFERS_PER_HOUR = { key: 100, payment: 50 } as const;

/** What shall be paid, by whom, and for which body. */
export interface Wanted extends Pick<Topup, 'accountId' | 'createdBy' | 'keyId' | 'creditsMicrousd'> {
  digest: string;
  /** Who asks. */
  by: keyof typeof OFFERS_PER_HOUR;
}

/**
 * The answer that says how a top-up can be paid: a challenge for each method, all of one new order. The order is all that
 * is written before somebody has paid (threats A14).
 * @param refusal why, where it is not simply that a payment is wanted
 * @throws GatewayError UNAVAILABLE, RATE_LIMIT_EXCEEDED
 */
export async function offerPayment(
  runtime: Runtime,
  wanted: Wanted,
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
      mode: modeOf(runtime, preferred.name),
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
  const { header, firstId } = scheme.challenge({ orderId, totalCents, digest, expiresAt });
  const asked: Refusal = {
    type: 'payment-required',
    detail: `Pay ${inUsd(credits + fee)} for ${inUsd(credits)} of credit.`,
  };
  return paymentProblem(refusal ?? asked, { header, challengeId: firstId });
}

function tooMany(quota: number, resetSeconds: number): GatewayError {
  return new GatewayError('RATE_LIMIT_EXCEEDED', {
    message: 'Too many top-ups were asked for and not paid.',
    hint: `Pay one of the challenges you have, or wait ${resetSeconds} seconds.`,
    details: { limit: 'hour', retry_after: resetSeconds },
    headers: rateHeaders([policy('machine-topup', quota, HOUR, quota, resetSeconds)]),
  });
}

import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import { formatUsd } from '../../kit/money';
import type { PaymentPayload } from '../../platform/ports/machine-payments';
import type { Payments } from '../../platform/ports/ports';
import { requirePayments } from '../payments/place-order';
import { type ReconciledPayment, reconcilePayment } from '../payments/reconcile-payment';
import { reconcileSandboxPayment } from '../payments/reconcile-sandbox-payment';
import {
  admitCharge,
  type Charged,
  expireTopup,
  type StartedCharge,
  UNDECIDED_SECONDS,
} from './admit-charge';
import { chargeAuthorization, reconcileAuthorization } from './charge-authorization';
import { paymentUnknown } from './refusals';
import { endTopup, releaseTopup, type Topup } from './store';

type ChargeRuntime = Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>;

/** A payload that can pay: of the "Payment" scheme, or a signed authorization of x402. */
export type Payload =
  | Exclude<PaymentPayload, { kind: 'invalid' }>
  | { kind: 'authorization'; authorization: string };

/** Stripe's codes for a bank that requires the cardholder's confirmation. */
const NEEDS_A_PERSON: ReadonlySet<string> = new Set(['requires_action', 'authentication_required']);

/** Maximum lead of our clocks over the provider's. */
const CLOCK_MARGIN_MS = 300_000;

/**
 * Longer than the provider may continue a request whose client has given up; until then its payment
 * may not be findable.
 */
const IN_FLIGHT_SECONDS = 300;

export const buildTopic = (orderId: string) => `topup:${orderId}` as const;

/**
 * Charges a leased top-up and credits it. If an earlier attempt started a charge, that payment is
 * looked up first and not repeated, whatever the new token.
 * @throws GatewayError UNAVAILABLE if it is unknown whether it was paid: the same credential may be
 *   sent again
 */
export async function chargeTopup(
  runtime: Pick<Runtime, 'db' | 'log' | 'observer' | 'ports' | 'settings'>,
  topup: Topup,
  payload: Payload,
): Promise<Charged> {
  const { topups } = runtime.observer.metrics;
  try {
    const charged = await charge(runtime, topup, payload);
    topups.inc({ outcome: charged.outcome });
    return charged;
  } catch (error) {
    topups.inc({ outcome: 'unknown' });
    if (error instanceof PaymentsUnavailable) throw paymentUnknown(error);
    throw error;
  } finally {
    // If this fails, the lease expires.
    await releaseTopup(runtime.db, topup, buildTopic(topup.id)).catch((error) =>
      runtime.log.warn('topup.release_failed', { orderId: topup.id, error }),
    );
  }
}

function charge(runtime: ChargeRuntime, topup: Topup, payload: Payload): Promise<Charged> {
  switch (payload.kind) {
    case 'proof':
      return chargeProof(runtime, topup);
    case 'token':
      return chargeToken(runtime, topup, payload.token);
    case 'authorization':
      return chargeAuthorization(runtime, topup, payload.authorization);
    default:
      return payload satisfies never;
  }
}

/**
 * Credits a top-up with a started charge, if it was paid.
 * @throws PaymentsUnavailable
 */
export async function reconcileStartedTopup(runtime: ChargeRuntime, topup: Topup): Promise<StartedCharge> {
  if (topup.mode === 'sandbox') {
    await creditSandbox(runtime, topup);
    return 'paid';
  }
  if (topup.mode === 'x402') return await reconcileAuthorization(runtime, topup);
  const payments = requirePayments(runtime);
  const since = new Date(topup.createdAt.getTime() - CLOCK_MARGIN_MS);
  const paymentId = await payments.findPaymentOfOrder({ orderId: topup.id, customerId: null, since });
  if (paymentId === null) return topup.secondsLate > IN_FLIGHT_SECONDS ? 'unpaid' : 'unknown';
  const settled = await reconcilePayment(runtime, payments, paymentId);
  if (isCredited(settled)) return 'paid';
  const failed = settled.outcome === 'unpaid' && settled.status === 'failed';
  return failed || topup.secondsLate > UNDECIDED_SECONDS ? 'unpaid' : 'unknown';
}

/**
 * A valid proof is the whole payment: a top-up with an earlier attempt is credited whatever the
 * state of the account.
 */
async function chargeProof(runtime: ChargeRuntime, topup: Topup): Promise<Charged> {
  if (topup.attempts === 1 && !(await admitCharge(runtime, topup))) return await expireTopup(runtime, topup);
  await creditSandbox(runtime, topup);
  return { outcome: 'paid' };
}

async function creditSandbox(runtime: ChargeRuntime, topup: Topup): Promise<void> {
  if (!isCredited(await reconcileSandboxPayment(runtime, topup)))
    throw new Error('A sandbox payment was not credited');
}

async function chargeToken(runtime: ChargeRuntime, topup: Topup, token: string): Promise<Charged> {
  const started = topup.attempts > 1 ? await reconcileStartedTopup(runtime, topup) : 'unpaid';
  if (started === 'paid') return { outcome: 'paid' };
  if (topup.late || !(await admitCharge(runtime, topup))) {
    if (started === 'unknown') throw paymentUnknown();
    return await expireTopup(runtime, topup);
  }
  const payments = requirePayments(runtime);
  const charge = await payments.chargeToken({
    orderId: topup.id,
    token,
    totalCents: topup.totalCents,
    description: `Machine top-up: ${formatUsd(topup.creditsMicrousd)} of credit`,
    // Two tokens for one challenge make one charge.
    idempotencyKey: topup.challengeId ?? topup.id,
  });
  switch (charge.outcome) {
    case 'paid':
      return await creditPayment(runtime, payments, charge.paymentId);
    case 'pending':
      throw paymentUnknown();
    case 'declined':
      runtime.log.info('topup.declined', { orderId: topup.id, code: charge.code });
      await endTopup(runtime.db, topup, { status: 'failed', failureCode: charge.code });
      return { outcome: 'declined', actionRequired: NEEDS_A_PERSON.has(charge.code) };
    default:
      return charge satisfies never;
  }
}

async function creditPayment(
  runtime: Pick<Runtime, 'db' | 'log' | 'settings'>,
  payments: Payments,
  paymentId: string,
): Promise<Charged> {
  const settled = await reconcilePayment(runtime, payments, paymentId);
  if (isCredited(settled)) return { outcome: 'paid' };
  // Paid but not in the ledger: the operator must see it, and the client must not pay again.
  runtime.log.error('topup.not_credited', { paymentId, outcome: settled.outcome });
  throw paymentUnknown();
}

function isCredited({ outcome }: ReconciledPayment): boolean {
  return outcome === 'applied';
}

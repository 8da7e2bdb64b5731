import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import type { X402Payments } from '../../platform/ports/x402-payments';
import { reconcileFinalPayment } from '../payments/reconcile-sandbox-payment';
import {
  admitCharge,
  type Charged,
  expireTopup,
  type StartedCharge,
  UNDECIDED_SECONDS,
} from './admit-charge';
import { paymentUnknown } from './refusals';
import { endTopup, sealPayment, type Topup } from './store';
import { paymentSealContext } from './topup';
import { openX402Scheme } from './x402-scheme';

type ChargeRuntime = Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>;

/**
 * Settles an authorization of x402 and credits it. It is stored first, so that after a lost answer
 * the same one is settled again: its nonce lets the token move once.
 * @throws GatewayError UNAVAILABLE if it is unknown whether it was settled
 * @throws PaymentsUnavailable likewise
 */
export async function chargeAuthorization(
  runtime: ChargeRuntime,
  topup: Topup,
  authorization: string,
): Promise<Charged> {
  const scheme = await requireScheme(runtime);
  const started = topup.sealedPayment !== null;
  if (!started) {
    if (topup.late || !(await admitCharge(runtime, topup))) return await expireTopup(runtime, topup);
    const sealed = runtime.ports.vault.seal(authorization, paymentSealContext(topup));
    if (!(await sealPayment(runtime.db, topup, sealed))) throw paymentUnknown();
  }
  const settled = await settle(runtime, topup, scheme, authorization);
  if (settled === 'paid') return { outcome: 'paid' };
  // A used nonce is refused too, so after a lost answer a refusal does not say that nothing moved.
  if (started) throw paymentUnknown();
  // Another process took over a stalled one and may have settled it.
  if (!(await endTopup(runtime.db, topup, { status: 'failed', failureCode: settled.refused })))
    throw paymentUnknown();
  return { outcome: 'declined', actionRequired: false };
}

/** Settles the stored authorization of an order again. */
export async function reconcileAuthorization(runtime: ChargeRuntime, topup: Topup): Promise<StartedCharge> {
  if (topup.sealedPayment === null) return 'unpaid';
  const authorization = runtime.ports.vault.open(topup.sealedPayment, paymentSealContext(topup));
  const settled = await settle(runtime, topup, await requireScheme(runtime), authorization);
  if (settled === 'paid') return 'paid';
  if (topup.secondsLate <= UNDECIDED_SECONDS) return 'unknown';
  runtime.log.error('topup.undecided', { orderId: topup.id, code: settled.refused });
  return 'unpaid';
}

async function settle(
  runtime: ChargeRuntime,
  topup: Topup,
  scheme: X402Payments,
  authorization: string,
): Promise<'paid' | { refused: string }> {
  const settled = await scheme.settle(authorization);
  if (settled.outcome === 'refused') {
    runtime.log.info('topup.declined', { orderId: topup.id, code: settled.reason });
    return { refused: settled.reason };
  }
  const paidWith = `USDC, transaction ${settled.transaction}`;
  const { outcome } = await reconcileFinalPayment(runtime, topup, { mode: 'x402', paidWith });
  if (outcome !== 'applied') throw new Error('An x402 payment was not credited');
  return 'paid';
}

async function requireScheme(runtime: Pick<Runtime, 'settings'>): Promise<X402Payments> {
  const scheme = await openX402Scheme(runtime);
  if (!scheme) throw new PaymentsUnavailable('x402 is no longer configured');
  return scheme;
}

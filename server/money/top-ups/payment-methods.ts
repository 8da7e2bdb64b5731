import { hkdfSync } from 'node:crypto';
import type { PaymentMode } from '@/db/schema/payments';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import {
  type MachineMethod,
  type MachinePayments,
  openMachinePayments,
} from '../../platform/ports/machine-payments';

const SECRET_BYTES = 32;
const RETRY_AFTER_SECONDS = 3600;

/** The methods to pay a top-up with, in the order in which they are offered. */
function listMethods({ settings, ports }: Pick<Runtime, 'ports' | 'settings'>): MachineMethod[] {
  const networkId = ports.payments && settings.stripe?.networkId;
  return [
    ...(networkId ? [{ name: 'stripe' as const, networkId }] : []),
    ...(acceptsSandbox(settings) ? [{ name: 'sandbox' as const }] : []),
  ];
}

/** In test mode paying per call works without further settings: no money is real. */
function acceptsSandbox({ machinePaymentsSandbox, payPerCall, stripe }: Runtime['settings']): boolean {
  return machinePaymentsSandbox || (payPerCall && stripe?.mode === 'fake');
}

/** The payment mode of a method, under which its orders are recorded. */
export function getMode({ ports }: Pick<Runtime, 'ports'>, method: MachineMethod['name']): PaymentMode {
  return method === 'sandbox' || !ports.payments ? 'sandbox' : ports.payments.mode;
}

/**
 * The "Payment" scheme with a key derived from AUTH_SECRET, so that every process accepts the
 * challenges of the others.
 */
export async function paymentScheme(
  runtime: Pick<Runtime, 'ports' | 'settings'>,
): Promise<{ scheme: MachinePayments; methods: readonly MachineMethod[] }> {
  const { authSecret, baseUrl } = runtime.settings;
  const methods = listMethods(runtime);
  const derived = hkdfSync('sha256', authSecret, '', 'machine payment challenges', SECRET_BYTES);
  const secret = Buffer.from(derived).toString('base64url');
  const scheme = await openMachinePayments({ secret, realm: new URL(baseUrl).host, methods });
  return { scheme, methods };
}

/** The error of a gateway without machine payment methods. */
export function noMethod(): GatewayError {
  return new GatewayError('UNAVAILABLE', {
    message: 'Machines cannot pay at this gateway: no payment method is set up for them.',
    hint: 'Buy credit in the dashboard under Billing, or ask the operator of this gateway.',
    details: { retry_after: RETRY_AFTER_SECONDS },
  });
}

import { invalidFields } from '../../core/errors/field-errors';
import type { KeyContext, Payer } from '../../core/trpc/context';
import { MICROUSD_PER_CENT } from '../../kit/money';
import { type OrderPayment, type Refuse, readPayment } from '../../money/top-ups/pay-once';
import { paymentScheme } from '../../money/top-ups/payment-methods';
import { paymentProblem } from '../../money/top-ups/payment-problem';
import { paymentUnavailable, REFUSALS } from '../../money/top-ups/refusals';
import type { findPaymentByOrder } from '../../money/top-ups/store';
import { openX402Scheme } from '../../money/top-ups/x402-scheme';
import type { GenuineCredential } from '../../platform/ports/machine-payments';
import type { CallInput } from '../schema';
import { fingerprintCall } from './offer-call';
import type { CallOrder } from './open-order';

type PaidOrder = NonNullable<Awaited<ReturnType<typeof findPaymentByOrder>>>;

/** A payment for this call, of either protocol. */
export interface CallPayment {
  order: CallOrder;
  payment: OrderPayment;
  /** Checks the payment before anything is stored for it; refuses one that cannot be charged. */
  verify(): Promise<void>;
  /** The headers that confirm the payment. */
  confirm(paid: PaidOrder): Record<string, string>;
}

/** A credential for a challenge of a call. */
type CallCredential = GenuineCredential & { bought: { purpose: 'call' } };

/** Reads what a client sent as payment for its call; refuses what cannot pay for it. */
export async function readCallPayment(
  { runtime }: Pick<KeyContext, 'runtime'>,
  payer: Exclude<Payer, { kind: 'none' }>,
  call: CallInput,
  refuse: Refuse,
): Promise<CallPayment> {
  const fingerprint = fingerprintCall(call);
  return payer.kind === 'payment'
    ? await readCredential(runtime, payer.credential, fingerprint, refuse)
    : await readX402(runtime, payer.payment, fingerprint, refuse);
}

async function readCredential(
  runtime: KeyContext['runtime'],
  credential: string,
  call: string,
  refuse: Refuse,
): Promise<CallPayment> {
  const { scheme } = await paymentScheme(runtime);
  const read = scheme.read(credential);
  if (read.kind === 'unsupported') throw paymentProblem(REFUSALS.unsupported);
  if (read.kind !== 'genuine' || !isForCall(read)) return await refuse(REFUSALS.notOurs);
  if (read.bought.call !== call) return await refuse(REFUSALS.otherBody);
  const { orderId, totalCents, expiresAt, method } = read;
  const payment = await readPayment(runtime, read, refuse);
  return {
    order: { orderId, credits: read.bought.credits, totalCents, expiresAt, mode: payment.mode },
    payment,
    // A proof was verified, a card can only be charged.
    verify: async () => undefined,
    confirm: ({ id: reference, paidAt }) => ({
      'Payment-Receipt': scheme.receipt({ method, reference, paidAt }),
    }),
  };
}

function isForCall(read: GenuineCredential): read is CallCredential {
  return read.bought.purpose === 'call';
}

async function readX402(
  runtime: KeyContext['runtime'],
  header: string,
  call: string,
  refuse: Refuse,
): Promise<CallPayment> {
  const scheme = await openX402Scheme(runtime);
  if (!scheme) throw paymentProblem(REFUSALS.unsupported);
  const read = scheme.read(header, call);
  if (read.kind === 'malformed') throw invalidFields([{ path: 'PAYMENT-SIGNATURE', message: MALFORMED }]);
  if (read.kind === 'foreign') return await refuse(REFUSALS.notOurs);
  const { orderId, amount, expiresAt, identity, payer, authorization } = read;
  const totalCents = Number(amount / MICROUSD_PER_CENT);
  return {
    order: { orderId, credits: amount, totalCents, expiresAt, mode: 'x402' },
    payment: { challengeId: identity, mode: 'x402', payload: { kind: 'authorization', authorization } },
    async verify() {
      const isValid = await scheme.verify(authorization).catch((cause) => {
        throw paymentUnavailable(cause);
      });
      if (!isValid) await refuse(REFUSALS.notValid);
    },
    confirm: ({ paidWith }) => ({
      'PAYMENT-RESPONSE': scheme.receipt({ transaction: paidWith?.split(' ').at(-1) ?? '', payer }),
    }),
  };
}

const MALFORMED =
  'Must be base64 JSON of an x402 payment: version 2, scheme exact, an EIP-3009 authorization.';

import { PaymentsUnavailable } from '@/server/core/errors/payments-unavailable';
import { newId } from '@/server/kit/ids';
import type { ChargeOutcome, PaymentSnapshot, Payments, RefundOutcome } from '@/server/platform/ports/ports';

type Charge = Parameters<Payments['chargeToken']>[0];

/** A token that the bank declines. */
export const DECLINED_TOKEN = 'spt_test_declined';
/** A token that requires confirmation by the cardholder. */
export const ACTION_TOKEN = 'spt_test_requires_action';

/**
 * A fake payment provider that charges shared payment tokens like Stripe, once per idempotency key.
 * Its response can be lost before or after the charge.
 */
export class TokenPayments implements Payments {
  readonly mode = 'fake';
  /** Charges that took money. */
  readonly charges: (Charge & { id: string })[] = [];
  /** `cut` charges but loses the response; `down` makes every request fail. */
  fault: 'none' | 'cut' | 'down' = 'none';
  /** Awaited before each charge. */
  before: () => Promise<unknown> = async () => undefined;
  readonly #answers = new Map<string, { token: string; answer: ChargeOutcome }>();

  async chargeToken(charge: Charge): Promise<ChargeOutcome> {
    await this.before();
    this.#refuseIfDown();
    const known = this.#answers.get(charge.idempotencyKey);
    if (known && known.token !== charge.token)
      throw new PaymentsUnavailable('another token was sent with this key');
    const answer = known?.answer ?? this.#charge(charge);
    if (!known) this.#answers.set(charge.idempotencyKey, { token: charge.token, answer });
    if (this.fault === 'cut') throw new PaymentsUnavailable('the answer was lost');
    return answer;
  }

  #charge(charge: Charge): ChargeOutcome {
    if (charge.token === DECLINED_TOKEN) return declined('insufficient_funds');
    if (charge.token === ACTION_TOKEN) return declined('requires_action');
    const id = newId('order').replace('order_', 'pi_');
    this.charges.push({ ...charge, id });
    return { outcome: 'paid', paymentId: id };
  }

  async refundPayment(): Promise<RefundOutcome> {
    return { outcome: 'refused', message: 'No refunds here' };
  }

  async findPayment(paymentId: string): Promise<PaymentSnapshot | null> {
    this.#refuseIfDown();
    const charge = this.charges.find(({ id }) => id === paymentId);
    if (!charge) return null;
    return {
      id: charge.id,
      orderId: charge.orderId,
      status: 'paid',
      totalCents: charge.totalCents,
      currency: 'usd',
      live: false,
      refundedCents: 0,
      disputes: [],
      customerId: null,
      card: null,
      paidWith: 'Visa •••• 4242',
      createdAt: new Date('2026-11-21T12:00:00Z'),
    };
  }

  async findPaymentOfOrder({ orderId }: { orderId: string }): Promise<string | null> {
    this.#refuseIfDown();
    return this.charges.find((charge) => charge.orderId === orderId)?.id ?? null;
  }

  #refuseIfDown(): void {
    if (this.fault === 'down') throw new PaymentsUnavailable('the provider is down');
  }

  createCustomer = unused;
  createCheckout = unused;
  findCheckout = unused;
  expireCheckout = unused;
  createPortal = unused;
  chargeCard = unused;
  findSavedCard = unused;
  readEvent = unusedNow;
  listPayments = unusedNow;
  listEvents = unusedNow;
}

function declined(code: string): ChargeOutcome {
  return { outcome: 'declined', code, message: 'Your card 4242 was declined.', paymentId: null };
}

async function unused(): Promise<never> {
  return unusedNow();
}

function unusedNow(): never {
  throw new Error('A machine top-up does not need this');
}

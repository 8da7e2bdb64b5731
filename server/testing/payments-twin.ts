import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '../ids';
import {
  type ChargeOutcome,
  type PaymentFacts,
  type Payments,
  PaymentsUnavailable,
  type SavedCard,
} from '../ports/ports';

/** What happens to the next charge that is asked for. Without a word of it, it is paid. */
export type Fate =
  | 'paid'
  | 'pending'
  | { declined: string }
  /** The same happens, but the answer is lost on the way; or with it the process that asked. */
  | { lost: 'paid' | 'pending' | { declined: string } }
  | { dies: 'paid' | 'pending' | { declined: string } }
  /** Nothing reaches the provider. */
  | 'unreachable'
  | 'dies before'
  /** The provider wants nothing of it, and nobody's card is to blame. */
  | 'refused';

type Charge = Parameters<Payments['chargeCard']>[0];

/**
 * A payment provider in memory that charges saved cards as Stripe does: once an idempotency key, declines included. Two
 * gateways may share one. What it has charged is counted, and fates can be chosen beforehand.
 */
export class PaymentsTwin implements Payments {
  readonly mode = 'test';
  readonly cards = new Map<string, SavedCard | null>();
  readonly payments = new Map<string, PaymentFacts>();
  readonly charges: Charge[] = [];
  readonly fates: Fate[] = [];
  /** How often something was asked of it. */
  asked = 0;
  /** How long a charge takes. */
  delayMs = 0;
  /** Nothing of it can be reached. */
  down = false;
  #answers = new Map<string, ChargeOutcome>();
  #tellDeath: () => void = () => undefined;

  /** Payments that took money. */
  get paid(): PaymentFacts[] {
    return [...this.payments.values()].filter(({ status }) => status === 'paid');
  }

  /** A customer with a saved card. */
  addCustomer(card: Partial<SavedCard> = {}): { customerId: string; card: SavedCard } {
    const customerId = `cus_${newId('request')}`;
    const saved = {
      paymentMethodId: `pm_${newId('request')}`,
      brand: 'visa',
      last4: '4242',
      expMonth: 12,
      expYear: 2040,
      ...card,
    };
    this.cards.set(customerId, saved);
    return { customerId, card: saved };
  }

  /** Resolves when a process dies while it charges. */
  untilDeath(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellDeath = resolve;
    });
  }

  /** A day later Stripe does not know the keys any more. */
  forgetKeys(): void {
    this.#answers = new Map();
  }

  async chargeCard(charge: Charge): Promise<ChargeOutcome> {
    this.#reach();
    this.charges.push(charge);
    const known = this.#answers.get(charge.orderId);
    if (known) return known;
    const fate = this.fates.shift() ?? 'paid';
    if (this.delayMs > 0) await wait(this.delayMs);
    if (fate === 'unreachable') throw new PaymentsUnavailable('connect ECONNREFUSED');
    if (fate === 'dies before') return await this.#die();
    if (fate === 'refused') throw new Error('No such payment method');
    if (typeof fate === 'string' || 'declined' in fate) return this.#commit(charge, fate);
    if ('dies' in fate) {
      this.#commit(charge, fate.dies);
      return await this.#die();
    }
    this.#commit(charge, fate.lost);
    throw new PaymentsUnavailable('read ECONNRESET');
  }

  async findPayment(paymentId: string): Promise<PaymentFacts | null> {
    this.#reach();
    const facts = this.payments.get(paymentId);
    return facts ? { ...facts } : null;
  }

  async findPaymentOfOrder({ orderId, customerId, since }: Parameters<Payments['findPaymentOfOrder']>[0]) {
    this.#reach();
    const found = [...this.payments.values()].reverse().find((facts) => {
      const own = facts.orderId === orderId && facts.customerId === customerId;
      return own && facts.createdAt >= since;
    });
    return found?.id ?? null;
  }

  async findSavedCard(customerId: string): Promise<SavedCard | null> {
    this.#reach();
    return this.cards.get(customerId) ?? null;
  }

  createCustomer = unused('createCustomer');
  createCheckout = unused('createCheckout');
  findCheckout = unused('findCheckout');
  createPortal = unused('createPortal');
  chargeToken = unused('chargeToken');
  readEvent = () => {
    throw new Error('The twin sends no events');
  };
  async *listPayments() {
    yield* [...this.payments.values()].reverse();
  }
  async *listEvents() {}

  #reach(): void {
    this.asked++;
    if (this.down) throw new PaymentsUnavailable('connect ECONNREFUSED');
  }

  /** Whoever waits for the answer waits for ever: its process is no more. */
  #die(): Promise<never> {
    this.#tellDeath();
    return new Promise(() => undefined);
  }

  #commit(charge: Charge, fate: 'paid' | 'pending' | { declined: string }): ChargeOutcome {
    const paymentId = `pi_${newId('request')}`;
    const status = typeof fate === 'string' ? fate : 'failed';
    const card = this.cards.get(charge.customerId) ?? null;
    this.payments.set(paymentId, {
      id: paymentId,
      orderId: charge.orderId,
      status,
      totalCents: charge.totalCents,
      currency: 'usd',
      live: false,
      refundedCents: 0,
      disputes: [],
      customerId: charge.customerId,
      card,
      paidWith: card ? `Visa •••• ${card.last4}` : null,
      createdAt: new Date(),
    });
    const outcome: ChargeOutcome =
      typeof fate === 'string'
        ? { outcome: fate, paymentId }
        : {
            outcome: 'declined',
            code: fate.declined,
            message: 'Your card was declined.',
            paymentId,
          };
    this.#answers.set(charge.orderId, outcome);
    return outcome;
  }
}

function unused(name: string) {
  return async (): Promise<never> => {
    throw new Error(`The twin cannot ${name}`);
  };
}

import { randomBytes } from 'node:crypto';
import {
  type ChargeOutcome,
  ForgedEvent,
  type PaymentEvent,
  type PaymentSnapshot,
  type Payments,
  type SavedCard,
} from '@/server/platform/ports/ports';

type Facts = { -readonly [K in keyof PaymentSnapshot]: PaymentSnapshot[K] } & { disputes: Dispute[] };
type Dispute = {
  -readonly [K in keyof PaymentSnapshot['disputes'][number]]: PaymentSnapshot['disputes'][number][K];
};

interface Session {
  orderId: string;
  paymentId: string | null;
  state: 'open' | 'complete' | 'expired';
  totalCents: number;
}

export const CARD: SavedCard = {
  paymentMethodId: 'pm_test',
  brand: 'visa',
  last4: '4242',
  expMonth: 12,
  expYear: 2034,
};

/**
 * A fake payment provider in memory. Tests change its objects directly; it has no pages and sends
 * no events.
 */
export class FakePayments implements Payments {
  readonly mode = 'fake' as const;
  readonly facts = new Map<string, Facts>();
  readonly sessions = new Map<string, Session>();
  readonly charges = new Map<string, ChargeOutcome>();
  /** Refunds by the id of their request. */
  readonly refunds = new Map<string, string>();
  /** Saved cards by customer. */
  readonly cards = new Map<string, SavedCard>();
  /** Awaited before each `findPayment` returns, so that a test can delay or fail it. */
  beforeFind: () => Promise<void> = async () => undefined;

  async createCustomer(): Promise<string> {
    return `cus_${randomBytes(8).toString('hex')}`;
  }

  async createCheckout(order: Parameters<Payments['createCheckout']>[0]) {
    const sessionId = `cs_${order.orderId}`;
    const totalCents = order.creditCents + order.feeCents;
    this.sessions.set(sessionId, { orderId: order.orderId, paymentId: null, state: 'open', totalCents });
    return { sessionId, url: `http://provider.test/${sessionId}` };
  }

  async findCheckout(sessionId: string) {
    const session = this.sessions.get(sessionId);
    return session
      ? { ...session, url: session.state === 'open' ? `http://provider.test/${sessionId}` : null }
      : null;
  }

  async expireCheckout(sessionId: string): Promise<void> {
    const session = this.sessions.get(sessionId);
    if (session?.state === 'open') session.state = 'expired';
  }

  async createPortal() {
    return { url: 'http://provider.test/portal' };
  }

  async chargeCard(charge: Parameters<Payments['chargeCard']>[0]): Promise<ChargeOutcome> {
    const { orderId, customerId, totalCents } = charge;
    return this.#chargeOnce(orderId, () => this.pay(orderId, totalCents, { customerId }));
  }

  async chargeToken(charge: Parameters<Payments['chargeToken']>[0]): Promise<ChargeOutcome> {
    const { idempotencyKey, orderId, totalCents } = charge;
    return this.#chargeOnce(idempotencyKey, () => this.pay(orderId, totalCents));
  }

  #chargeOnce(key: string, charge: () => string): ChargeOutcome {
    const known = this.charges.get(key);
    if (known) return known;
    const outcome: ChargeOutcome = { outcome: 'paid', paymentId: charge() };
    this.charges.set(key, outcome);
    return outcome;
  }

  async refundPayment({ refundId, paymentId, cents }: Parameters<Payments['refundPayment']>[0]) {
    const known = this.refunds.get(refundId);
    if (known) return { outcome: 'refunded' as const, providerId: known };
    const facts = this.objects(paymentId);
    if (facts.refundedCents + cents > facts.totalCents)
      return { outcome: 'refused' as const, message: 'The refund is larger than the rest of the charge' };
    facts.refundedCents += cents;
    const providerId = `re_${randomBytes(8).toString('hex')}`;
    this.refunds.set(refundId, providerId);
    return { outcome: 'refunded' as const, providerId };
  }

  async findPayment(paymentId: string): Promise<PaymentSnapshot | null> {
    const facts = this.facts.get(paymentId);
    // The state at the time of the request, not of the response.
    const copy = facts ? structuredClone(facts) : null;
    await this.beforeFind();
    return copy;
  }

  async findPaymentOfOrder({ orderId }: { orderId: string }): Promise<string | null> {
    for (const facts of this.facts.values()) if (facts.orderId === orderId) return facts.id;
    return null;
  }

  async *listPayments(): AsyncGenerator<PaymentSnapshot> {
    for (const facts of this.facts.values()) if (facts.orderId) yield structuredClone(facts);
  }

  async findSavedCard(customerId: string): Promise<SavedCard | null> {
    return this.cards.get(customerId) ?? null;
  }

  readEvent(rawBody: string, signature: string | null): PaymentEvent {
    if (signature !== 'signed') throw new ForgedEvent('The event is not signed');
    return { ...JSON.parse(rawBody), createdAt: new Date() };
  }

  async *listEvents(): AsyncGenerator<PaymentEvent> {
    yield* [];
  }

  /** Creates a payment of an order. @returns its id */
  pay(orderId: string, totalCents: number, more: Partial<Facts> = {}): string {
    const id = `pi_${randomBytes(8).toString('hex')}`;
    this.facts.set(id, {
      id,
      orderId,
      status: 'paid',
      totalCents,
      currency: 'usd',
      live: false,
      refundedCents: 0,
      disputes: [],
      customerId: null,
      card: null,
      paidWith: 'Visa •••• 4242',
      createdAt: new Date(),
      ...more,
    });
    return id;
  }

  /** Completes a checkout with a payment. @returns the id of the payment */
  complete(sessionId: string, status: PaymentSnapshot['status'] = 'paid'): string {
    const session = this.sessions.get(sessionId);
    if (!session) throw new Error('There is no such checkout');
    session.paymentId ??= this.pay(session.orderId, session.totalCents, { status });
    session.state = 'complete';
    return session.paymentId;
  }

  /** Returns the state of a payment, for a test to change. */
  objects(paymentId: string): Facts {
    const facts = this.facts.get(paymentId);
    if (!facts) throw new Error('There is no such payment');
    return facts;
  }
}

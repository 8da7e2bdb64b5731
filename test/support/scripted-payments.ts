import { setTimeout as wait } from 'node:timers/promises';
import { PaymentsUnavailable } from '@/server/core/errors/payments-unavailable';
import { newId } from '@/server/kit/ids';
import type { ChargeOutcome, Payments, SavedCard } from '@/server/platform/ports/ports';
import { CARD, FakePayments } from './fake-payments';

/** Outcome of a charge at the provider. */
export type ChargeResult = 'paid' | 'pending' | { declined: string };

/** What happens to the next charge; by default it is paid. */
export type ScriptedOutcome =
  | ChargeResult
  /** Charged, but the response is lost, or the calling process dies. */
  | { lost: ChargeResult }
  | { dies: ChargeResult }
  /** The request does not reach the provider. */
  | 'unreachable'
  | 'dies before'
  /** The provider rejects the request itself, without a decline of the card. */
  | 'refused';

type Charge = Parameters<Payments['chargeCard']>[0];

/**
 * A fake provider that charges saved cards like Stripe: once per idempotency key, also if declined.
 * It records the charge requests, and tests script their outcomes. Two gateways may share one.
 */
export class ScriptedPayments extends FakePayments {
  readonly requests: Charge[] = [];
  readonly outcomes: ScriptedOutcome[] = [];
  /** Number of requests. */
  requestCount = 0;
  /** Duration of a charge. */
  delayMs = 0;
  /** Makes the provider unreachable. */
  down = false;
  #notifyDeath: () => void = () => undefined;

  /** The paid payments. */
  get paid() {
    return [...this.facts.values()].filter(({ status }) => status === 'paid');
  }

  /** Adds a customer with a saved card. */
  addCustomer(change: Partial<SavedCard> = {}): { customerId: string; card: SavedCard } {
    const customerId = `cus_${newId('request')}`;
    const card = { ...CARD, paymentMethodId: `pm_${newId('request')}`, ...change };
    this.cards.set(customerId, card);
    return { customerId, card };
  }

  /** Resolves when a process dies during a charge. */
  waitForDeath(): Promise<void> {
    return new Promise((resolve) => {
      this.#notifyDeath = resolve;
    });
  }

  /** Forgets idempotency keys, as Stripe does after a day. */
  forgetKeys(): void {
    this.charges.clear();
  }

  override async chargeCard(charge: Charge): Promise<ChargeOutcome> {
    this.#reach();
    this.requests.push(charge);
    const known = this.charges.get(charge.orderId);
    if (known) return known;
    const fate = this.outcomes.shift() ?? 'paid';
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

  override async expireCheckout(sessionId: string) {
    this.#reach();
    await super.expireCheckout(sessionId);
  }

  override async findPayment(paymentId: string) {
    this.#reach();
    return await super.findPayment(paymentId);
  }

  override async findPaymentOfOrder({
    orderId,
    customerId,
    since,
  }: Parameters<Payments['findPaymentOfOrder']>[0]) {
    this.#reach();
    const own = [...this.facts.values()].filter(
      (facts) => facts.orderId === orderId && facts.customerId === customerId && facts.createdAt >= since,
    );
    return own.at(-1)?.id ?? null;
  }

  override async findSavedCard(customerId: string) {
    this.#reach();
    return await super.findSavedCard(customerId);
  }

  #reach(): void {
    this.requestCount++;
    if (this.down) throw new PaymentsUnavailable('connect ECONNREFUSED');
  }

  /** Never resolves: the process that awaits the response is considered dead. */
  #die(): Promise<never> {
    this.#notifyDeath();
    return new Promise(() => undefined);
  }

  #commit({ orderId, customerId, totalCents }: Charge, ending: ChargeResult): ChargeOutcome {
    const status = typeof ending === 'string' ? ending : 'failed';
    const paymentId = this.pay(orderId, totalCents, { customerId, status });
    const outcome: ChargeOutcome =
      typeof ending === 'string'
        ? { outcome: ending, paymentId }
        : { outcome: 'declined', code: ending.declined, message: 'Your card was declined.', paymentId };
    this.charges.set(orderId, outcome);
    return outcome;
  }
}

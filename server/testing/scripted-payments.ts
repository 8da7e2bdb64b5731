import { setTimeout as wait } from 'node:timers/promises';
import { PaymentsUnavailable } from '../core/errors/payments-unavailable';
import { newId } from '../kit/ids';
import type { ChargeOutcome, Payments, SavedCard } from '../platform/ports/ports';
import { CARD, MemoryPayments } from './memory-payments';

/** How a charge ends at the provider. */
export type Ending = 'paid' | 'pending' | { declined: string };

/** What happens to the next charge that is asked for. Without a word of it, it is paid. */
export type Fate =
  | Ending
  /** The same happens, but the answer is lost on the way, or with the process that asked. */
  | { lost: Ending }
  | { dies: Ending }
  /** Nothing reaches the provider. */
  | 'unreachable'
  | 'dies before'
  /** The provider wants nothing of it, and nobody's card is to blame. */
  | 'refused';

type Charge = Parameters<Payments['chargeCard']>[0];

/**
 * The provider in memory, charging saved cards as Stripe does: once an idempotency key, declines
 * included. Two gateways may share one. What it is asked to charge is kept, and what happens then
 * can be chosen beforehand.
 */
export class ScriptedPayments extends MemoryPayments {
  readonly requests: Charge[] = [];
  readonly fates: Fate[] = [];
  /** How often something was asked of it. */
  asked = 0;
  /** How long a charge takes. */
  delayMs = 0;
  /** Nothing of it can be reached. */
  down = false;
  #tellDeath: () => void = () => undefined;

  /** Payments that took money. */
  get paid() {
    return [...this.facts.values()].filter(({ status }) => status === 'paid');
  }

  /** A customer with a saved card. */
  addCustomer(change: Partial<SavedCard> = {}): { customerId: string; card: SavedCard } {
    const customerId = `cus_${newId('request')}`;
    const card = { ...CARD, paymentMethodId: `pm_${newId('request')}`, ...change };
    this.cards.set(customerId, card);
    return { customerId, card };
  }

  /** Resolves when a process dies while it charges. */
  untilDeath(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellDeath = resolve;
    });
  }

  /** A day later Stripe does not know the keys any more. */
  forgetKeys(): void {
    this.charges.clear();
  }

  override async chargeCard(charge: Charge): Promise<ChargeOutcome> {
    this.#reach();
    this.requests.push(charge);
    const known = this.charges.get(charge.orderId);
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
    this.asked++;
    if (this.down) throw new PaymentsUnavailable('connect ECONNREFUSED');
  }

  /** Whoever waits for the answer waits for ever: its process is no more. */
  #die(): Promise<never> {
    this.#tellDeath();
    return new Promise(() => undefined);
  }

  #commit({ orderId, customerId, totalCents }: Charge, ending: Ending): ChargeOutcome {
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

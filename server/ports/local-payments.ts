import { randomUUID } from 'node:crypto';
import type { Payments } from './ports';

interface LocalPayment {
  id: string;
  status: 'pending' | 'paid' | 'failed';
  amountCents: number;
  refundedCents: number;
  currency: string;
}

/** What a test or a developer does in place of the person and the bank. */
export interface LocalPayments extends Payments {
  settle(id: string, status: 'paid' | 'failed'): void;
  refund(id: string, cents: number): void;
}

/** The local twin of payments: keeps them in memory and takes no money. */
export function createLocalPayments(): LocalPayments {
  const payments = new Map<string, LocalPayment>();
  const byOrder = new Map<string, { id: string; url: string }>();
  const get = (id: string): LocalPayment => {
    const payment = payments.get(id);
    if (!payment) throw new Error('There is no such payment');
    return payment;
  };
  return {
    mode: 'local',
    async createCheckout({ orderId, totalCents, successUrl }) {
      // The order's id is its idempotency key, as with the real provider.
      const known = byOrder.get(orderId);
      if (known) return known;
      const id = `pay_${randomUUID()}`;
      payments.set(id, { id, status: 'pending', amountCents: totalCents, refundedCents: 0, currency: 'usd' });
      const checkout = { id, url: successUrl };
      byOrder.set(orderId, checkout);
      return checkout;
    },
    async getPayment(id) {
      const payment = payments.get(id);
      return payment ? { ...payment } : null;
    },
    settle(id, status) {
      get(id).status = status;
    },
    refund(id, cents) {
      const payment = get(id);
      if (payment.status !== 'paid' || cents > payment.amountCents - payment.refundedCents)
        throw new Error('There is not that much to refund');
      payment.refundedCents += cents;
    },
  };
}

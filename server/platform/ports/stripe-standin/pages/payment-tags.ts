import type Stripe from 'stripe';
import { idOf } from '../objects';
import type { Store } from '../store';
import { type Html, html, money } from './html';

const STATES: Record<string, { tone: string; text: string }> = {
  succeeded: { tone: 'ok', text: 'Paid' },
  processing: { tone: 'warn', text: 'On its way' },
  requires_action: { tone: 'warn', text: 'Waits for the bank' },
  requires_confirmation: { tone: 'warn', text: 'Not confirmed' },
  requires_payment_method: { tone: 'bad', text: 'Not paid' },
  canceled: { tone: '', text: 'Cancelled' },
};

/** How a payment stands, in words: paid, refunded, disputed. */
export async function paymentTags(store: Store, intent: Stripe.PaymentIntent): Promise<Html> {
  const { tone, text } = STATES[intent.status] ?? { tone: '', text: intent.status };
  const chargeId = idOf(intent.latest_charge);
  const charge = chargeId ? await store.find('charge', chargeId) : null;
  const refunded = charge?.data.amount_refunded ?? 0;
  const disputes = charge?.data.disputed ? await store.all('dispute', { payment_intent: intent.id }) : [];
  return html`<span class="tag ${tone}">${text}</span>
${refunded > 0 && html` <span class="tag warn">${refunded === intent.amount ? 'Refunded' : `${money(refunded, intent.currency)} refunded`}</span>`}
${disputes.map(({ data }) => html` <span class="tag ${data.status === 'won' ? 'ok' : 'bad'}">Dispute ${data.status.replaceAll('_', ' ')}</span>`)}`;
}

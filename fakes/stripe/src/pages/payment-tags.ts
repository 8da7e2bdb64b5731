import type Stripe from 'stripe';
import { getId } from '../resources/objects';
import type { ObjectStore } from '../state/object-store';
import { formatMoney, type Html, html } from './html';

const STATES: Record<string, { tone: string; text: string }> = {
  succeeded: { tone: 'ok', text: 'Succeeded' },
  processing: { tone: 'warn', text: 'Processing' },
  requires_action: { tone: 'warn', text: 'Authentication required' },
  requires_confirmation: { tone: 'warn', text: 'Confirmation required' },
  requires_payment_method: { tone: 'bad', text: 'Failed' },
  canceled: { tone: '', text: 'Canceled' },
};

/** The status of a payment as tags: succeeded, refunded, disputed. */
export async function renderPaymentTags(store: ObjectStore, intent: Stripe.PaymentIntent): Promise<Html> {
  const { tone, text } = STATES[intent.status] ?? { tone: '', text: intent.status };
  const chargeId = getId(intent.latest_charge);
  const charge = chargeId ? await store.find('charge', chargeId) : null;
  const refunded = charge?.data.amount_refunded ?? 0;
  const disputes = charge?.data.disputed ? await store.all('dispute', { payment_intent: intent.id }) : [];
  return html`<span class="tag ${tone}">${text}</span>
${refunded > 0 && html` <span class="tag warn">${refunded === intent.amount ? 'Refunded' : `${formatMoney(refunded, intent.currency)} refunded`}</span>`}
${disputes.map(({ data }) => html` <span class="tag ${data.status === 'won' ? 'ok' : 'bad'}">Dispute ${data.status.replaceAll('_', ' ')}</span>`)}`;
}

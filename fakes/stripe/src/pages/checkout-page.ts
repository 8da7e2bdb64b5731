import type { Params } from '../api/form';
import { expireSession, prepareIntent } from '../resources/checkout-sessions';
import { confirmPayment, processBankDebit } from '../resources/confirm-payment';
import { getId, type Row } from '../resources/objects';
import { createBankAccount, createCard, type Payer } from '../resources/payment-methods';
import type { TestCard } from '../resources/test-cards';
import type { State, Transaction } from '../state/transactions';
import {
  type CardInput,
  prefillCard,
  readCard,
  readTypedCard,
  renderCardFields,
  renderTestCards,
} from './card-fields';
import { formatMoney, html } from './html';
import { redirect, renderMessage, renderPage } from './layout';
import type { PageContext } from './pages';

type Session = Row<'checkout.session'>;
type PaymentSource = 'card' | 'bank' | 'bank_fails';

interface View {
  session: Session;
  email: string;
  problem: string | null;
}

/** `GET /checkout/:id` */
export async function showCheckout(context: PageContext, id: string, card: string | null): Promise<Response> {
  const view = await context.database.read((state) => readView(state, id));
  if (!view) return renderUnknownSession();
  return (
    renderClosedSession(view.session) ?? renderCheckout(context.publicUrl, view, prefillCard(card), 'card')
  );
}

async function readView(state: State, id: string): Promise<View | null> {
  const { store, now } = state;
  const session = await store.find('checkout.session', id);
  if (!session) return null;
  const { data } = session;
  if (data.status === 'open' && data.expires_at <= now) data.status = 'expired';
  const customerId = getId(data.customer);
  const customer = customerId ? await store.find('customer', customerId) : null;
  const intentId = getId(data.payment_intent);
  const intent = intentId ? await store.find('payment_intent', intentId) : null;
  return {
    session,
    email: customer?.data.email ?? data.customer_email ?? '',
    problem: intent?.data.last_payment_error?.message ?? null,
  };
}

/** `POST /checkout/:id` */
export async function submitCheckout(context: PageContext, id: string, params: Params): Promise<Response> {
  const view = await context.database.read((state) => readView(state, id));
  if (!view) return renderUnknownSession();
  const over = renderClosedSession(view.session);
  if (over) return over;
  if (params.text('nonce') !== view.session.hidden.nonce)
    return renderMessage('Invalid form', 'Open the checkout again and pay from there.', null, 403);
  const source = readSource(params);
  const read = readCard(params, new Date().getFullYear());
  if ('problem' in read && source === 'card') {
    const shown = { ...view, email: params.text('email') ?? '', problem: read.problem };
    return renderCheckout(context.publicUrl, shown, readTypedCard(params), source, 400);
  }
  const card = 'card' in read && source === 'card' ? read.card : null;
  const payer: Payer =
    'payer' in read
      ? read.payer
      : {
          email: params.text('email') ?? null,
          name: params.text('name') ?? null,
          expMonth: 12,
          expYear: 2034,
        };
  if (card?.fault === 'slow') await context.database.pauseForSlowCard();
  const { result } = await context.database.write((tx) => attemptPayment(tx, id, source, card, payer));
  return redirect(result ?? `${context.publicUrl}/checkout/${id}${card ? `?card=${card.number}` : ''}`);
}

function readSource(params: Params): PaymentSource {
  const source = params.text('means');
  return source === 'bank' || source === 'bank_fails' ? source : 'card';
}

/** Attempts to pay. @returns the URL of the next page; null for the checkout again */
async function attemptPayment(
  tx: Transaction,
  id: string,
  source: PaymentSource,
  card: TestCard | null,
  payer: Payer,
): Promise<string | null> {
  const session = await tx.store.get('checkout.session', id);
  if (session.data.status !== 'open') return null;
  if (session.data.expires_at <= tx.now) {
    await expireSession(tx, id);
    return null;
  }
  const intent = await prepareIntent(tx, session, payer.email, payer.name);
  if (source !== 'card' || !card) {
    const bank = await createBankAccount(tx, payer);
    await processBankDebit(tx, intent, bank, source === 'bank_fails' ? 'failed' : 'succeeded');
    return buildSuccessUrl(session);
  }
  await confirmPayment(tx, intent, await createCard(tx, card, payer), 'on_session');
  if (intent.data.status === 'succeeded') return buildSuccessUrl(session);
  return intent.data.next_action?.redirect_to_url?.url ?? null;
}

export function buildSuccessUrl({ data }: Session): string {
  return (data.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', data.id);
}

/** The page of a session that is not open; null for an open one. */
function renderClosedSession(session: Session): Response | null {
  const { status, payment_status, cancel_url } = session.data;
  if (status === 'complete')
    return renderMessage(
      payment_status === 'paid' ? 'Already paid' : 'Payment processing',
      payment_status === 'paid'
        ? 'You have paid this order. You will not be charged again.'
        : 'The test bank transfer completes in a few seconds.',
      { href: buildSuccessUrl(session), label: 'Return to merchant' },
    );
  if (status === 'open') return null;
  return renderMessage(
    'Checkout expired',
    'You were not charged. Start a new checkout to pay.',
    cancel_url ? { href: cancel_url, label: 'Return to merchant' } : null,
  );
}

function renderUnknownSession(): Response {
  return renderMessage('Checkout not found', 'The URL is wrong, or the data was deleted.', null, 404);
}

function renderCheckout(
  publicUrl: string,
  { session, email, problem }: View,
  card: CardInput,
  source: PaymentSource,
  status = 200,
): Response {
  const { data, hidden } = session;
  const currency = data.currency ?? 'usd';
  const total = formatMoney(data.amount_total ?? 0, currency);
  const here = `${publicUrl}/checkout/${data.id}`;
  const radio = (value: PaymentSource, label: string) =>
    html`<label class="choice"><input type="radio" name="means" value="${value}"${source === value && html` checked`}> ${label}</label>`;
  return renderPage({
    title: `Pay ${total}`,
    status,
    formsTo: [data.success_url, data.cancel_url],
    body: html`<main><div class="two checkout">
<section class="order" aria-labelledby="order"><h1 id="order">Your order</h1><p class="total">${total}</p>
<ul class="lines">${hidden.items.map(
      (item) => html`<li><span>${item.name}${item.quantity > 1 && ` × ${item.quantity}`}
${item.description && html`<br><span class="small muted">${item.description}</span>`}</span><span>${formatMoney(item.unitAmount * item.quantity, currency)}</span></li>`,
    )}<li class="sum"><span>Total</span><span>${total}</span></li></ul></section>
<div class="form stack"><form class="card" method="post" action="${here}">
${problem && html`<p class="alert" role="alert">${problem}</p>`}
<input type="hidden" name="nonce" value="${hidden.nonce}">
<div class="field"><label for="email">Email</label><input id="email" name="email" type="email" value="${email}" autocomplete="off"></div>
<fieldset><legend>Payment method</legend>
${radio('card', 'Card')}
${radio('bank', 'Test bank transfer (succeeds in a few seconds)')}
${radio('bank_fails', 'Test bank transfer that fails (in a few seconds)')}</fieldset>
<div class="by-card">${renderCardFields(card)}
${hidden.intent.setupFutureUsage && html`<p class="saved">This card will be saved for future payments.</p>`}</div>
<button class="main wide">Pay ${total}</button></form>
${data.cancel_url && html`<a class="button wide" href="${data.cancel_url}">Cancel</a>`}
</div>
<div class="tests-area">${renderTestCards(here)}</div></div></main>`,
  });
}

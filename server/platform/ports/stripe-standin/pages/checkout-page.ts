import { expireSession, intentOfSession } from '../checkout-sessions';
import { confirmPayment, processBankDebit } from '../confirm-payment';
import type { Params } from '../form';
import { idOf, type Row } from '../objects';
import { createBankAccount, createCard, type Payer } from '../payment-methods';
import type { TestCard } from '../test-cards';
import type { Reading, Work } from '../work';
import { type CardInput, cardFields, prefilledCard, readCard, testCards, typedCard } from './card-fields';
import { html, money } from './html';
import { messagePage, renderPage, seeOther } from './layout';
import type { PageContext } from './pages';

type Session = Row<'checkout.session'>;
type Means = 'card' | 'bank' | 'bank_fails';

/** Everything that the page shows of a session. */
interface View {
  session: Session;
  email: string;
  problem: string | null;
}

/** `GET /checkout/:id` */
export async function showCheckout(context: PageContext, id: string, card: string | null): Promise<Response> {
  const view = await context.database.read((reading) => readView(reading, id));
  if (!view) return unknownSession();
  return overPage(view.session) ?? formPage(context.publicUrl, view, prefilledCard(card), 'card');
}

async function readView(reading: Reading, id: string): Promise<View | null> {
  const { store, now } = reading;
  const session = await store.find('checkout.session', id);
  if (!session) return null;
  const { data } = session;
  if (data.status === 'open' && data.expires_at <= now) data.status = 'expired';
  const customerId = idOf(data.customer);
  const customer = customerId ? await store.find('customer', customerId) : null;
  const intentId = idOf(data.payment_intent);
  const intent = intentId ? await store.find('payment_intent', intentId) : null;
  return {
    session,
    email: customer?.data.email ?? data.customer_email ?? '',
    problem: intent?.data.last_payment_error?.message ?? null,
  };
}

/** `POST /checkout/:id` */
export async function payCheckout(context: PageContext, id: string, params: Params): Promise<Response> {
  const view = await context.database.read((reading) => readView(reading, id));
  if (!view) return unknownSession();
  const over = overPage(view.session);
  if (over) return over;
  if (params.text('nonce') !== view.session.hidden.nonce)
    return messagePage('This form is not ours', 'Open the checkout again and pay from there.', null, 403);
  const means = readMeans(params);
  const read = readCard(params, new Date().getFullYear());
  if ('problem' in read && means === 'card') {
    const shown = { ...view, email: params.text('email') ?? '', problem: read.problem };
    return formPage(context.publicUrl, shown, typedCard(params), means, 400);
  }
  const card = 'card' in read && means === 'card' ? read.card : null;
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
  const { result } = await context.database.write((work) => attempt(work, id, means, card, payer));
  return seeOther(result ?? `${context.publicUrl}/checkout/${id}${card ? `?card=${card.number}` : ''}`);
}

function readMeans(params: Params): Means {
  const means = params.text('means');
  return means === 'bank' || means === 'bank_fails' ? means : 'card';
}

/** Tries to pay; says where the person goes next, null for back to the page. */
async function attempt(
  work: Work,
  id: string,
  means: Means,
  card: TestCard | null,
  payer: Payer,
): Promise<string | null> {
  const session = await work.store.get('checkout.session', id);
  if (session.data.status !== 'open') return null;
  if (session.data.expires_at <= work.now) {
    await expireSession(work, id);
    return null;
  }
  const intent = await intentOfSession(work, session, payer.email, payer.name);
  if (means !== 'card' || !card) {
    const bank = await createBankAccount(work, payer);
    await processBankDebit(work, intent, bank, means === 'bank_fails' ? 'failed' : 'succeeded');
    return successUrl(session);
  }
  await confirmPayment(work, intent, await createCard(work, card, payer), 'present');
  if (intent.data.status === 'succeeded') return successUrl(session);
  return intent.data.next_action?.redirect_to_url?.url ?? null;
}

/** Where a paid session leads. */
export function successUrl({ data }: Session): string {
  return (data.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', data.id);
}

/** What is shown of a session that cannot be paid any more. */
function overPage(session: Session): Response | null {
  const { status, payment_status, cancel_url } = session.data;
  if (status === 'complete')
    return messagePage(
      payment_status === 'paid' ? 'This is paid' : 'This payment is on its way',
      payment_status === 'paid'
        ? 'You have paid this already; nothing more is charged.'
        : 'The pretend bank transfer settles in a few seconds.',
      { href: successUrl(session), label: 'Back to the gateway' },
    );
  if (status === 'open') return null;
  return messagePage(
    'This checkout has expired',
    'Nothing was charged. Start again to buy.',
    cancel_url ? { href: cancel_url, label: 'Back to the gateway' } : null,
  );
}

function unknownSession(): Response {
  return messagePage(
    'There is no such checkout',
    'Its address is wrong, or its gateway was emptied.',
    null,
    404,
  );
}

function formPage(
  publicUrl: string,
  { session, email, problem }: View,
  card: CardInput,
  means: Means,
  status = 200,
): Response {
  const { data, hidden } = session;
  const currency = data.currency ?? 'usd';
  const total = money(data.amount_total ?? 0, currency);
  const here = `${publicUrl}/checkout/${data.id}`;
  const radio = (value: Means, label: string) =>
    html`<label class="choice"><input type="radio" name="means" value="${value}"${means === value && html` checked`}> ${label}</label>`;
  return renderPage({
    title: `Pay ${total}`,
    status,
    formsTo: [data.success_url, data.cancel_url],
    body: html`<main><div class="two checkout">
<section class="order" aria-labelledby="order"><h1 id="order">Your order</h1><p class="total">${total}</p>
<ul class="lines">${hidden.items.map(
      (item) => html`<li><span>${item.name}${item.quantity > 1 && ` × ${item.quantity}`}
${item.description && html`<br><span class="small muted">${item.description}</span>`}</span><span>${money(item.unitAmount * item.quantity, currency)}</span></li>`,
    )}<li class="sum"><span>Total</span><span>${total}</span></li></ul></section>
<div class="form stack"><form class="card" method="post" action="${here}">
${problem && html`<p class="alert" role="alert">${problem}</p>`}
<input type="hidden" name="nonce" value="${hidden.nonce}">
<div class="field"><label for="email">E-mail</label><input id="email" name="email" type="email" value="${email}" autocomplete="off"></div>
<fieldset><legend>Pay by</legend>
${radio('card', 'Card')}
${radio('bank', 'Pretend bank transfer (settles in a few seconds)')}
${radio('bank_fails', 'Pretend bank transfer that fails (after a few seconds)')}</fieldset>
<div class="by-card">${cardFields(card)}
${hidden.intent.setupFutureUsage && html`<p class="saved">This card is saved for auto-reload.</p>`}</div>
<button class="main wide">Pay ${total}</button></form>
${data.cancel_url && html`<a class="button wide" href="${data.cancel_url}">Cancel</a>`}
</div>
<div class="tests-area">${testCards(here)}</div></div></main>`,
  });
}

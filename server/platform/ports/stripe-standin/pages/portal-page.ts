import type Stripe from 'stripe';
import { findCustomer, saveDefault } from '../customers';
import { StripeRefusal } from '../errors';
import type { Params } from '../form';
import { idOf, type Row } from '../objects';
import { attachMethod, createCard, detachMethod, refuseDeclined } from '../payment-methods';
import type { Store } from '../store';
import type { Work } from '../work';
import { type CardInput, cardFields, prefilledCard, readCard, testCards, typedCard } from './card-fields';
import { type Html, html, moment, money } from './html';
import { messagePage, renderPage, seeOther } from './layout';
import type { PageContext } from './pages';
import { paymentTags } from './payment-tags';

type Portal = Row<'billing_portal.session'>;

/** A session of the portal works for an hour. */
const OPEN_SECONDS = 3_600;
const DONE: Record<string, string> = {
  added: 'The card was added.',
  default: 'The default card was changed.',
  removed: 'The card was removed.',
};

/** Everything that the page shows of a customer. */
interface View {
  portal: Portal;
  customer: Stripe.Customer;
  cards: Stripe.PaymentMethod[];
  payments: { intent: Stripe.PaymentIntent; tags: Html }[];
}

/** `GET /portal/:id` */
export async function showPortal(
  context: PageContext,
  id: string,
  search: URLSearchParams,
): Promise<Response> {
  const view = await readView(context, id);
  if (view instanceof Response) return view;
  const done = DONE[search.get('done') ?? ''];
  return portalPage(context, view, prefilledCard(search.get('card')), { done });
}

async function readView({ database }: PageContext, id: string): Promise<View | Response> {
  return await database.read(async ({ store, now }) => {
    const portal = await store.find('billing_portal.session', id);
    if (!portal) return messagePage('There is no such page', 'Its address is wrong.', null, 404);
    const { created, customer, return_url } = portal.data;
    if (created + OPEN_SECONDS <= now)
      return messagePage(
        'This page has expired',
        'It is open for an hour. Go back and open it again.',
        return_url ? { href: return_url, label: 'Back to the gateway' } : null,
        410,
      );
    return await readCustomer(store, portal, customer);
  });
}

async function readCustomer(store: Store, portal: Portal, id: string): Promise<View> {
  const { data: customer } = await store.get('customer', id);
  const cards = await store.all('payment_method', { customer: id });
  const intents = await store.list('payment_intent', { customer: id }, { limit: 50 });
  const payments: View['payments'] = [];
  for (const { data: intent } of intents.rows)
    payments.push({ intent, tags: await paymentTags(store, intent) });
  return { portal, customer, cards: cards.map(({ data }) => data), payments };
}

function portalPage(
  { publicUrl }: PageContext,
  { portal, customer, cards, payments }: View,
  typed: CardInput,
  { done, problem }: { done?: string; problem?: string },
): Response {
  const { id, return_url } = portal.data;
  const here = `${publicUrl}/portal/${id}`;
  return renderPage({
    title: 'Your cards and payments',
    status: problem ? 400 : 200,
    formsTo: [],
    body: html`<main class="stack">
<header class="row apart"><div><h1>Your cards and payments</h1>
<p class="muted break">${customer.email ?? customer.name ?? customer.id}</p></div>
${return_url && html`<a class="button" href="${return_url}">Back to the gateway</a>`}</header>
${done && html`<p class="done" role="status">${done}</p>`}
<section class="card" aria-labelledby="cards"><h2 id="cards">Saved cards</h2>
${cards.length === 0 ? html`<p class="muted">No card is saved.</p>` : html`<ul class="lines">${cards.map((card) => cardRow(here, portal, customer, card))}</ul>`}</section>
<div class="two"><section class="card" aria-labelledby="add"><h2 id="add">Add a card</h2>
<form method="post" action="${here}">${problem && html`<p class="alert" role="alert">${problem}</p>`}
${hiddenFields(portal, 'add')}${cardFields(typed)}
<label class="choice"><input type="checkbox" name="default" value="true" checked> Use it as the default card</label>
<button class="main">Add card</button></form></section>
${testCards(here)}</div>
<section class="card" aria-labelledby="payments"><h2 id="payments">Payments</h2>
${payments.length === 0 ? html`<p class="muted">Nothing was paid yet.</p>` : paymentTable(payments)}</section></main>`,
  });
}

function hiddenFields({ hidden }: Portal, action: string, card?: string): Html {
  return html`<input type="hidden" name="nonce" value="${hidden.nonce}"><input type="hidden" name="action" value="${action}">${card && html`<input type="hidden" name="card" value="${card}">`}`;
}

function cardRow(
  here: string,
  portal: Portal,
  customer: Stripe.Customer,
  method: Stripe.PaymentMethod,
): Html {
  const { card } = method;
  const isDefault = idOf(customer.invoice_settings.default_payment_method) === method.id;
  const name = card
    ? `${card.display_brand ?? card.brand} •••• ${card.last4}`
    : `Bank account •••• ${method.us_bank_account?.last4}`;
  return html`<li class="row apart"><span><span class="brand">${name}</span>
${card && html`<span class="muted small">expires ${String(card.exp_month).padStart(2, '0')}/${card.exp_year}</span>`}
${isDefault && html`<span class="tag ok">Default</span>`}</span><span class="row">
${!isDefault && html`<form method="post" action="${here}">${hiddenFields(portal, 'default', method.id)}<button class="small-button">Make default<span class="gone"> (${name})</span></button></form>`}
<form method="post" action="${here}">${hiddenFields(portal, 'remove', method.id)}<button class="small-button">Remove<span class="gone"> ${name}</span></button></form></span></li>`;
}

function paymentTable(payments: View['payments']): Html {
  return html`<div class="scroll"><table><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col" class="figure">Amount</th><th scope="col">State</th></tr></thead>
<tbody>${payments.map(
    ({ intent, tags }) => html`<tr><td>${moment(intent.created)}</td>
<td class="break">${intent.description ?? 'Payment'}<br><span class="mono muted">${intent.id}</span></td>
<td class="figure">${money(intent.amount, intent.currency)}</td><td>${tags}</td></tr>`,
  )}</tbody></table></div>`;
}

/** `POST /portal/:id` */
export async function changePortal(context: PageContext, id: string, params: Params): Promise<Response> {
  const view = await readView(context, id);
  if (view instanceof Response) return view;
  if (params.text('nonce') !== view.portal.hidden.nonce)
    return messagePage('This form is not ours', 'Open the page again and send it from there.', null, 403);
  const again = (problem: string) => portalPage(context, view, typedCard(params), { problem });
  const action = params.text('action');
  const customerId = view.customer.id;
  const here = `${context.publicUrl}/portal/${id}`;
  if (action === 'add') {
    const read = readCard(params, new Date().getFullYear());
    if ('problem' in read) return again(read.problem);
    try {
      await context.database.write(async (work) => {
        const method = await createCard(work, read.card, read.payer);
        refuseDeclined(method);
        await keepCard(work, method, customerId, params.flag('default'));
      });
    } catch (error) {
      if (error instanceof StripeRefusal) return again(error.message);
      throw error;
    }
    return seeOther(`${here}?done=added`);
  }
  await context.database.write(async (work) => {
    const method = await work.store.find('payment_method', params.text('card') ?? '');
    // Sent twice, or gone since: what was wanted is so already.
    if (method?.data.customer !== customerId) return;
    if (action === 'remove') await detachMethod(work, method);
    if (action === 'default') await saveDefault(work, await findCustomer(work, customerId), method.data.id);
  });
  return seeOther(`${here}?done=${action === 'remove' ? 'removed' : 'default'}`);
}

async function keepCard(
  work: Work,
  method: Row<'payment_method'>,
  customerId: string,
  asDefault: boolean,
): Promise<void> {
  // In life the bank asks while a card is saved.
  method.hidden.setUp = true;
  await attachMethod(work, method, customerId);
  if (asDefault) await saveDefault(work, await findCustomer(work, customerId), method.data.id);
}

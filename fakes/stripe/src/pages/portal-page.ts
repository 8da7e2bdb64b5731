import type Stripe from 'stripe';
import { StripeApiError } from '../api/errors';
import type { Params } from '../api/form';
import { findCustomer, saveDefault } from '../resources/customers';
import { getId, type Row } from '../resources/objects';
import { attachMethod, createCard, detachMethod, requireChargeable } from '../resources/payment-methods';
import type { ObjectStore } from '../state/object-store';
import type { Transaction } from '../state/transactions';
import {
  type CardInput,
  prefillCard,
  readCard,
  readTypedCard,
  renderCardFields,
  renderTestCards,
} from './card-fields';
import { formatMoney, formatTime, type Html, html } from './html';
import { redirect, renderMessage, renderPage } from './layout';
import type { PageContext } from './pages';
import { renderPaymentTags } from './payment-tags';

type Portal = Row<'billing_portal.session'>;

const OPEN_SECONDS = 3_600;
const MESSAGES: Record<string, string> = {
  added: 'Card added.',
  default: 'Default card changed.',
  removed: 'Card removed.',
};

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
  const done = MESSAGES[search.get('done') ?? ''];
  return renderPortal(context, view, prefillCard(search.get('card')), { done });
}

async function readView({ database }: PageContext, id: string): Promise<View | Response> {
  return await database.read(async ({ store, now }) => {
    const portal = await store.find('billing_portal.session', id);
    if (!portal) return renderMessage('Page not found', 'The URL is wrong.', null, 404);
    const { created, customer, return_url } = portal.data;
    if (created + OPEN_SECONDS <= now)
      return renderMessage(
        'Page expired',
        'Pages like this one expire after an hour. Return to the merchant and open it again.',
        return_url ? { href: return_url, label: 'Return to merchant' } : null,
        410,
      );
    return await readCustomer(store, portal, customer);
  });
}

async function readCustomer(store: ObjectStore, portal: Portal, id: string): Promise<View> {
  const { data: customer } = await store.get('customer', id);
  const cards = await store.all('payment_method', { customer: id });
  const intents = await store.list('payment_intent', { customer: id }, { limit: 50 });
  const payments: View['payments'] = [];
  for (const { data: intent } of intents.rows)
    payments.push({ intent, tags: await renderPaymentTags(store, intent) });
  return { portal, customer, cards: cards.map(({ data }) => data), payments };
}

function renderPortal(
  { publicUrl }: PageContext,
  { portal, customer, cards, payments }: View,
  typed: CardInput,
  { done, problem }: { done?: string | undefined; problem?: string | undefined },
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
${return_url && html`<a class="button" href="${return_url}">Return to merchant</a>`}</header>
${done && html`<p class="done" role="status">${done}</p>`}
<section class="card" aria-labelledby="cards"><h2 id="cards">Saved cards</h2>
${cards.length === 0 ? html`<p class="muted">No saved cards.</p>` : html`<ul class="lines">${cards.map((card) => renderCardRow(here, portal, customer, card))}</ul>`}</section>
<div class="two"><section class="card" aria-labelledby="add"><h2 id="add">Add a card</h2>
<form method="post" action="${here}">${problem && html`<p class="alert" role="alert">${problem}</p>`}
${renderHiddenFields(portal, 'add')}${renderCardFields(typed)}
<label class="choice"><input type="checkbox" name="default" value="true" checked> Use as default card</label>
<button class="main">Add card</button></form></section>
${renderTestCards(here)}</div>
<section class="card" aria-labelledby="payments"><h2 id="payments">Payments</h2>
${payments.length === 0 ? html`<p class="muted">No payments yet.</p>` : renderPayments(payments)}</section></main>`,
  });
}

function renderHiddenFields({ hidden }: Portal, action: string, card?: string): Html {
  return html`<input type="hidden" name="nonce" value="${hidden.nonce}"><input type="hidden" name="action" value="${action}">${card && html`<input type="hidden" name="card" value="${card}">`}`;
}

function renderCardRow(
  here: string,
  portal: Portal,
  customer: Stripe.Customer,
  method: Stripe.PaymentMethod,
): Html {
  const { card } = method;
  const isDefault = getId(customer.invoice_settings.default_payment_method) === method.id;
  const name = card
    ? `${card.display_brand ?? card.brand} •••• ${card.last4}`
    : `Bank account •••• ${method.us_bank_account?.last4}`;
  return html`<li class="row apart"><span><span class="brand">${name}</span>
${card && html`<span class="muted small">expires ${String(card.exp_month).padStart(2, '0')}/${card.exp_year}</span>`}
${isDefault && html`<span class="tag ok">Default</span>`}</span><span class="row">
${!isDefault && html`<form method="post" action="${here}">${renderHiddenFields(portal, 'default', method.id)}<button class="small-button">Make default<span class="gone"> (${name})</span></button></form>`}
<form method="post" action="${here}">${renderHiddenFields(portal, 'remove', method.id)}<button class="small-button">Remove<span class="gone"> ${name}</span></button></form></span></li>`;
}

function renderPayments(payments: View['payments']): Html {
  return html`<div class="scroll"><table><thead><tr><th scope="col">Created</th><th scope="col">Description</th><th scope="col" class="figure">Amount</th><th scope="col">Status</th></tr></thead>
<tbody>${payments.map(
    ({ intent, tags }) => html`<tr><td>${formatTime(intent.created)}</td>
<td class="break">${intent.description ?? 'Payment'}<br><span class="mono muted">${intent.id}</span></td>
<td class="figure">${formatMoney(intent.amount, intent.currency)}</td><td>${tags}</td></tr>`,
  )}</tbody></table></div>`;
}

/** `POST /portal/:id` */
export async function submitPortal(context: PageContext, id: string, params: Params): Promise<Response> {
  const view = await readView(context, id);
  if (view instanceof Response) return view;
  if (params.text('nonce') !== view.portal.hidden.nonce)
    return renderMessage('Invalid form', 'Open the page again and use its buttons.', null, 403);
  const again = (problem: string) => renderPortal(context, view, readTypedCard(params), { problem });
  const action = params.text('action');
  const customerId = view.customer.id;
  const here = `${context.publicUrl}/portal/${id}`;
  if (action === 'add') {
    const read = readCard(params, new Date().getFullYear());
    if ('problem' in read) return again(read.problem);
    try {
      await context.database.write(async (tx) => {
        const method = await createCard(tx, read.card, read.payer);
        requireChargeable(method);
        await saveCard(tx, method, customerId, params.boolean('default'));
      });
    } catch (error) {
      if (error instanceof StripeApiError) return again(error.message);
      throw error;
    }
    return redirect(`${here}?done=added`);
  }
  await context.database.write(async (tx) => {
    const method = await tx.store.find('payment_method', params.text('card') ?? '');
    // Submitted twice, or removed since: nothing to do.
    if (method?.data.customer !== customerId) return;
    if (action === 'remove') await detachMethod(tx, method);
    if (action === 'default') await saveDefault(tx, await findCustomer(tx, customerId), method.data.id);
  });
  return redirect(`${here}?done=${action === 'remove' ? 'removed' : 'default'}`);
}

async function saveCard(
  tx: Transaction,
  method: Row<'payment_method'>,
  customerId: string,
  asDefault: boolean,
): Promise<void> {
  // Stripe authenticates the cardholder while it saves a card.
  method.hidden.setUp = true;
  await attachMethod(tx, method, customerId);
  if (asDefault) await saveDefault(tx, await findCustomer(tx, customerId), method.data.id);
}

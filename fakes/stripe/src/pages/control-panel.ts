import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import { StripeApiError } from '../api/errors';
import { type Params, parseForm } from '../api/form';
import { completeBankDebit } from '../resources/confirm-payment';
import { loseDispute, openDispute, winDispute } from '../resources/disputes';
import type { StripeEvent } from '../resources/objects';
import { createRefund } from '../resources/refunds';
import { type DeliveryState, findDeliveries } from '../state/delivery-store';
import type { ObjectStore } from '../state/object-store';
import type { Transaction } from '../state/transactions';
import { formatMoney, formatTime, type Html, html } from './html';
import { redirect, renderMessage, renderPage } from './layout';
import type { PageContext } from './pages';
import { renderPaymentTags } from './payment-tags';

const SHOWN = 50;

interface Payment {
  intent: Stripe.PaymentIntent;
  tags: Html;
  /** Cents that can still be refunded. */
  refundable: number;
  dispute: Stripe.Dispute | null;
}

/** In each form of the panel, against cross-site request forgery. */
function deriveNonce({ secretKey }: PageContext): string {
  return createHmac('sha256', secretKey).update('control panel').digest('base64url');
}

/** `GET /`: simulates the bank, for developers and browser tests. */
export async function showPanel(context: PageContext, problem: string | null = null): Promise<Response> {
  const { database } = context;
  const { payments, events } = await database.read(async ({ store }) => ({
    payments: await readPayments(store),
    events: (await store.list('event', {}, { limit: SHOWN })).rows.map(({ data }) => data),
  }));
  const deliveries = await findDeliveries(
    await database.open(),
    events.map(({ id }) => id),
  );
  return renderPage({
    title: 'Control panel',
    status: problem ? 400 : 200,
    body: html`<main class="stack wide-page"><header><h1>Fake Stripe</h1>
<p class="muted">Test mode payments and events. Act as the bank and the cardholder.</p></header>
${problem && html`<p class="alert" role="alert">${problem}</p>`}
<section class="card" aria-labelledby="payments"><h2 id="payments">Payments</h2>
${payments.length === 0 ? html`<p class="muted">No payments yet.</p>` : renderPayments(context, payments)}</section>
<section class="card" aria-labelledby="events"><h2 id="events">Events</h2>
${events.length === 0 ? html`<p class="muted">No events yet.</p>` : renderEvents(context, events, deliveries)}</section>
<section class="card" aria-labelledby="api"><h2 id="api">API</h2>
<p>Stripe’s API is at <code class="break">${context.publicUrl}/v1/…</code>. The API key:</p>
<p><code class="break">${context.secretKey}</code></p></section></main>`,
  });
}

async function readPayments(store: ObjectStore): Promise<Payment[]> {
  const { rows } = await store.list('payment_intent', {}, { limit: SHOWN });
  const payments: Payment[] = [];
  for (const { data: intent } of rows) {
    const [charge] = await store.all('charge', { payment_intent: intent.id });
    const disputes = await store.all('dispute', { payment_intent: intent.id });
    const open = disputes.find(({ data }) => /needs_response|under_review/.test(data.status));
    payments.push({
      intent,
      tags: await renderPaymentTags(store, intent),
      refundable: charge?.data.status === 'succeeded' ? charge.data.amount - charge.data.amount_refunded : 0,
      dispute: open?.data ?? null,
    });
  }
  return payments;
}

function renderPayments(context: PageContext, payments: Payment[]): Html {
  return html`<div class="scroll"><table><thead><tr><th scope="col">Created</th><th scope="col">Payment</th><th scope="col" class="figure">Amount</th><th scope="col">Status</th><th scope="col">Actions</th></tr></thead>
<tbody>${payments.map(
    ({
      intent,
      tags,
      refundable,
      dispute,
    }) => html`<tr data-payment="${intent.id}"><td>${formatTime(intent.created)}</td>
<td><span class="break">${intent.description ?? 'Payment'}</span><br><span class="mono muted">${intent.id}</span></td>
<td class="figure">${formatMoney(intent.amount, intent.currency)}</td><td>${tags}</td>
<td><div class="row">${renderPaymentForms(context, intent, refundable, dispute)}</div></td></tr>`,
  )}</tbody></table></div>`;
}

function renderPaymentForms(
  context: PageContext,
  intent: Stripe.PaymentIntent,
  refundable: number,
  dispute: Stripe.Dispute | null,
): Html {
  if (intent.status === 'processing')
    return html`${button(context, 'settle', intent.id, 'Complete')}${button(context, 'fail', intent.id, 'Fail')}`;
  if (dispute)
    return html`${button(context, 'win', dispute.id, 'Win')}${button(context, 'lose', dispute.id, 'Lose')}`;
  if (refundable === 0) return html`<span class="muted">—</span>`;
  return html`<form method="post" action="${context.publicUrl}">${renderHiddenFields(context, 'refund', intent.id)}
<label class="gone" for="amount-${intent.id}">Dollars to refund</label>
<input class="amount" id="amount-${intent.id}" name="amount" value="${(refundable / 100).toFixed(2)}" inputmode="decimal" autocomplete="off">
<button class="small-button">Refund</button></form>${button(context, 'dispute', intent.id, 'Dispute')}`;
}

function renderEvents(
  context: PageContext,
  events: StripeEvent[],
  deliveries: Map<string, DeliveryState>,
): Html {
  return html`<div class="scroll"><table><thead><tr><th scope="col">Created</th><th scope="col">Event</th><th scope="col">Delivery</th><th scope="col">Actions</th></tr></thead>
<tbody>${events.map(
    (event) => html`<tr><td>${formatTime(event.created)}</td>
<td>${event.type}<br><span class="mono muted">${event.id}</span></td><td>${renderDelivery(deliveries.get(event.id))}</td>
<td><div class="row">${button(context, 'send', event.id, 'Resend')}</div></td></tr>`,
  )}</tbody></table></div>`;
}

function renderDelivery(delivery: DeliveryState | undefined): Html {
  if (!delivery) return html`<span class="tag">Unknown</span>`;
  const { attempts, done, last_answer } = delivery;
  if (done) return html`<span class="tag ok">Delivered</span>`;
  if (attempts === 0) return html`<span class="tag">Pending</span>`;
  return html`<span class="tag warn">Attempt ${attempts}</span> <span class="muted break">${last_answer}</span>`;
}

function renderHiddenFields(context: PageContext, action: string, id: string): Html {
  return html`<input type="hidden" name="nonce" value="${deriveNonce(context)}"><input type="hidden" name="action" value="${action}"><input type="hidden" name="id" value="${id}">`;
}

function button(context: PageContext, action: string, id: string, label: string): Html {
  return html`<form method="post" action="${context.publicUrl}">${renderHiddenFields(context, action, id)}<button class="small-button">${label}</button></form>`;
}

type PanelAction = (tx: Transaction, id: string, params: Params) => Promise<unknown>;

const ACTIONS = new Map<string, PanelAction>([
  ['refund', (tx, id, params) => createRefund(tx, buildRefundParams(id, params))],
  ['dispute', (tx, id) => openDispute(tx, parseForm(new URLSearchParams({ payment_intent: id }).toString()))],
  ['win', (tx, id) => winDispute(tx, id)],
  ['lose', (tx, id) => loseDispute(tx, id)],
  ['settle', (tx, id) => completeBankDebit(tx, id, 'succeeded')],
  ['fail', (tx, id) => completeBankDebit(tx, id, 'failed')],
  ['send', (tx, id) => tx.store.queueDelivery(id)],
]);

/** Converts the dollars of the form to the cents of the API. */
function buildRefundParams(id: string, params: Params): Params {
  const dollars = /^\$?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(params.text('amount') ?? '');
  const cents = dollars ? `${Number(dollars[1]) * 100 + Number((dollars[2] ?? '').padEnd(2, '0'))}` : 'NaN';
  return parseForm(new URLSearchParams({ payment_intent: id, amount: cents }).toString());
}

/** `POST /` */
export async function submitPanel(context: PageContext, params: Params): Promise<Response> {
  if (params.text('nonce') !== deriveNonce(context))
    return renderMessage('Invalid form', 'Open the panel again and use its buttons.', null, 403);
  const action = ACTIONS.get(params.text('action') ?? '');
  if (!action) return await showPanel(context, 'Unknown action.');
  try {
    await context.database.write((tx) => action(tx, params.text('id') ?? '', params));
  } catch (error) {
    if (error instanceof StripeApiError) return await showPanel(context, error.message);
    throw error;
  }
  return redirect(context.publicUrl);
}

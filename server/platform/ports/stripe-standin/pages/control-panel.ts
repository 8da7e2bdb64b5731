import { createHmac } from 'node:crypto';
import type Stripe from 'stripe';
import { settleBankDebit } from '../confirm-payment';
import { type DeliveryState, findDeliveries } from '../delivery-store';
import { loseDispute, openDispute, winDispute } from '../disputes';
import { StripeRefusal } from '../errors';
import { type Params, parseForm } from '../form';
import type { StandinEvent } from '../objects';
import { createRefund } from '../refunds';
import type { Store } from '../store';
import type { Work } from '../work';
import { type Html, html, moment, money } from './html';
import { messagePage, renderPage, seeOther } from './layout';
import type { PageContext } from './pages';
import { paymentTags } from './payment-tags';

const SHOWN = 50;

interface Payment {
  intent: Stripe.PaymentIntent;
  tags: Html;
  /** What can still be given back. */
  left: number;
  dispute: Stripe.Dispute | null;
}

/** In every form of the panel: a page elsewhere cannot know it. */
function nonceOf({ secretKey }: PageContext): string {
  return createHmac('sha256', secretKey).update('control panel').digest('base64url');
}

/** `GET /`: for developers and browser tests, only on this machine. */
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
    body: html`<main class="stack wide-page"><header><h1>The stand-in for Stripe</h1>
<p class="muted">What the gateway sold for pretend money. Here you are the bank and the cardholder.</p></header>
${problem && html`<p class="alert" role="alert">${problem}</p>`}
<section class="card" aria-labelledby="payments"><h2 id="payments">Payments</h2>
${payments.length === 0 ? html`<p class="muted">Nothing was sold yet. Buy credit in the gateway.</p>` : paymentTable(context, payments)}</section>
<section class="card" aria-labelledby="events"><h2 id="events">Events</h2>
${events.length === 0 ? html`<p class="muted">Nothing has happened yet.</p>` : eventTable(context, events, deliveries)}</section>
<section class="card" aria-labelledby="api"><h2 id="api">API</h2>
<p>The stand-in answers Stripe’s API under <code class="break">${context.publicUrl}/v1/…</code> with this key:</p>
<p><code class="break">${context.secretKey}</code></p></section></main>`,
  });
}

async function readPayments(store: Store): Promise<Payment[]> {
  const { rows } = await store.list('payment_intent', {}, { limit: SHOWN });
  const payments: Payment[] = [];
  for (const { data: intent } of rows) {
    const [charge] = await store.all('charge', { payment_intent: intent.id });
    const disputes = await store.all('dispute', { payment_intent: intent.id });
    const open = disputes.find(({ data }) => /needs_response|under_review/.test(data.status));
    payments.push({
      intent,
      tags: await paymentTags(store, intent),
      left: charge?.data.status === 'succeeded' ? charge.data.amount - charge.data.amount_refunded : 0,
      dispute: open?.data ?? null,
    });
  }
  return payments;
}

function paymentTable(context: PageContext, payments: Payment[]): Html {
  return html`<div class="scroll"><table><thead><tr><th scope="col">When</th><th scope="col">Payment</th><th scope="col" class="figure">Amount</th><th scope="col">State</th><th scope="col">Do</th></tr></thead>
<tbody>${payments.map(
    ({
      intent,
      tags,
      left,
      dispute,
    }) => html`<tr data-payment="${intent.id}"><td>${moment(intent.created)}</td>
<td><span class="break">${intent.description ?? 'Payment'}</span><br><span class="mono muted">${intent.id}</span></td>
<td class="figure">${money(intent.amount, intent.currency)}</td><td>${tags}</td>
<td><div class="row">${paymentForms(context, intent, left, dispute)}</div></td></tr>`,
  )}</tbody></table></div>`;
}

function paymentForms(
  context: PageContext,
  intent: Stripe.PaymentIntent,
  left: number,
  dispute: Stripe.Dispute | null,
): Html {
  if (intent.status === 'processing')
    return html`${button(context, 'settle', intent.id, 'Settle')}${button(context, 'fail', intent.id, 'Let it fail')}`;
  if (dispute)
    return html`${button(context, 'win', dispute.id, 'Win')}${button(context, 'lose', dispute.id, 'Lose')}`;
  if (left === 0) return html`<span class="muted">—</span>`;
  return html`<form method="post" action="${context.publicUrl}">${hiddenFields(context, 'refund', intent.id)}
<label class="gone" for="amount-${intent.id}">Dollars to refund</label>
<input class="amount" id="amount-${intent.id}" name="amount" value="${(left / 100).toFixed(2)}" inputmode="decimal" autocomplete="off">
<button class="small-button">Refund</button></form>${button(context, 'dispute', intent.id, 'Dispute')}`;
}

function eventTable(
  context: PageContext,
  events: StandinEvent[],
  deliveries: Map<string, DeliveryState>,
): Html {
  return html`<div class="scroll"><table><thead><tr><th scope="col">When</th><th scope="col">Event</th><th scope="col">Delivery</th><th scope="col">Do</th></tr></thead>
<tbody>${events.map(
    (event) => html`<tr><td>${moment(event.created)}</td>
<td>${event.type}<br><span class="mono muted">${event.id}</span></td><td>${deliveryTag(deliveries.get(event.id))}</td>
<td><div class="row">${button(context, 'send', event.id, 'Send again')}</div></td></tr>`,
  )}</tbody></table></div>`;
}

function deliveryTag(delivery: DeliveryState | undefined): Html {
  if (!delivery) return html`<span class="tag">Unknown</span>`;
  const { attempts, done, last_answer } = delivery;
  if (done) return html`<span class="tag ok">Delivered</span>`;
  if (attempts === 0) return html`<span class="tag">Waits</span>`;
  return html`<span class="tag warn">Attempt ${attempts}</span> <span class="muted break">${last_answer}</span>`;
}

function hiddenFields(context: PageContext, action: string, id: string): Html {
  return html`<input type="hidden" name="nonce" value="${nonceOf(context)}"><input type="hidden" name="action" value="${action}"><input type="hidden" name="id" value="${id}">`;
}

function button(context: PageContext, action: string, id: string, label: string): Html {
  return html`<form method="post" action="${context.publicUrl}">${hiddenFields(context, action, id)}<button class="small-button">${label}</button></form>`;
}

type Deed = (work: Work, id: string, params: Params) => Promise<unknown>;

const DEEDS = new Map<string, Deed>([
  ['refund', (work, id, params) => createRefund(work, refundParams(id, params))],
  [
    'dispute',
    (work, id) => openDispute(work, parseForm(new URLSearchParams({ payment_intent: id }).toString())),
  ],
  ['win', (work, id) => winDispute(work, id)],
  ['lose', (work, id) => loseDispute(work, id)],
  ['settle', (work, id) => settleBankDebit(work, id, 'succeeded')],
  ['fail', (work, id) => settleBankDebit(work, id, 'failed')],
  ['send', (work, id) => work.store.queueDelivery(id)],
]);

/** What the panel's form says in dollars, as the API says it in cents. */
function refundParams(id: string, params: Params): Params {
  const dollars = /^\$?(\d{1,7})(?:\.(\d{1,2}))?$/.exec(params.text('amount') ?? '');
  const cents = dollars ? `${Number(dollars[1]) * 100 + Number((dollars[2] ?? '').padEnd(2, '0'))}` : 'NaN';
  return parseForm(new URLSearchParams({ payment_intent: id, amount: cents }).toString());
}

/** `POST /` */
export async function changeFromPanel(context: PageContext, params: Params): Promise<Response> {
  if (params.text('nonce') !== nonceOf(context))
    return messagePage('This form is not ours', 'Open the panel again and send it from there.', null, 403);
  const deed = DEEDS.get(params.text('action') ?? '');
  if (!deed) return await showPanel(context, 'There is no such button.');
  try {
    await context.database.write((work) => deed(work, params.text('id') ?? '', params));
  } catch (error) {
    if (error instanceof StripeRefusal) return await showPanel(context, error.message);
    throw error;
  }
  return seeOther(context.publicUrl);
}

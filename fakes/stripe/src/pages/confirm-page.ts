import type { Params } from '../api/form';
import { completePayment, failIntent } from '../resources/confirm-payment';
import { getId, type Row } from '../resources/objects';
import { AUTHENTICATION_FAILED } from '../resources/test-cards';
import { emit, type Transaction } from '../state/transactions';
import { buildSuccessUrl } from './checkout-page';
import { formatMoney, html } from './html';
import { redirect, renderMessage, renderPage } from './layout';
import type { PageContext } from './pages';

type Intent = Row<'payment_intent'>;

/**
 * `GET /confirm/:payment_intent?secret=…`: the page where the bank authenticates the cardholder.
 */
export async function showConfirmation(
  context: PageContext,
  id: string,
  secret: string | null,
): Promise<Response> {
  const found = await context.database.read(async ({ store }) => {
    const intent = await store.find('payment_intent', id);
    const methodId = getId(intent?.data.payment_method);
    const sessionId = intent?.hidden.session;
    return {
      intent,
      method: methodId ? await store.find('payment_method', methodId) : null,
      session: sessionId ? await store.find('checkout.session', sessionId) : null,
    };
  });
  const { intent, method, session } = found;
  if (!intent || !secret || intent.data.client_secret !== secret) return renderUnknownPayment();
  if (intent.data.status !== 'requires_action') return renderNothingToConfirm();
  const total = formatMoney(intent.data.amount, intent.data.currency);
  const last4 = method?.data.card?.last4 ?? '';
  return renderPage({
    title: 'Confirm this payment',
    formsTo: [session?.data.success_url ?? null, intent.hidden.returnUrl ?? null],
    body: html`<main class="narrow"><form class="card" method="post" action="${context.publicUrl}/confirm/${id}">
<h1>Test bank: confirm this payment</h1>
<p class="total">${total}</p>
<p>A merchant wants to charge your card ending in <strong>${last4}</strong>. A real bank would ask for a code here.</p>
<input type="hidden" name="secret" value="${secret}">
<div class="row"><button class="main" name="answer" value="confirm">Confirm</button><button name="answer" value="refuse">Refuse</button></div>
</form></main>`,
  });
}

/** `POST /confirm/:payment_intent` */
export async function submitConfirmation(
  context: PageContext,
  id: string,
  params: Params,
): Promise<Response> {
  const confirmed = params.text('answer') === 'confirm';
  const { result } = await context.database.write(async (tx) => {
    const intent = await tx.store.find('payment_intent', id);
    if (!intent || intent.data.client_secret !== params.text('secret')) return renderUnknownPayment();
    if (intent.data.status !== 'requires_action') return renderNothingToConfirm();
    await authenticate(tx, intent, confirmed);
    return redirect(await buildNextUrl(tx, intent, confirmed));
  });
  return result;
}

async function authenticate(tx: Transaction, intent: Intent, confirmed: boolean): Promise<void> {
  const method = await tx.store.get('payment_method', getId(intent.data.payment_method) ?? '');
  if (confirmed) return await completePayment(tx, intent, method);
  await failIntent(tx, intent, method, AUTHENTICATION_FAILED);
  await emit(tx, 'payment_intent.payment_failed', intent.data);
}

/** The merchant's page, or the checkout again for another card. */
async function buildNextUrl(tx: Transaction, intent: Intent, confirmed: boolean): Promise<string> {
  const { session, returnUrl } = intent.hidden;
  if (session)
    return confirmed
      ? buildSuccessUrl(await tx.store.get('checkout.session', session))
      : `${tx.publicUrl}/checkout/${session}`;
  if (!returnUrl || !URL.canParse(returnUrl)) return `${tx.publicUrl}/confirm/${intent.data.id}`;
  const url = new URL(returnUrl);
  url.searchParams.set('payment_intent', intent.data.id);
  url.searchParams.set('redirect_status', confirmed ? 'succeeded' : 'failed');
  return url.href;
}

function renderUnknownPayment(): Response {
  return renderMessage('Payment not found', 'The URL is wrong, or the data was deleted.', null, 404);
}

function renderNothingToConfirm(): Response {
  return renderMessage('Nothing to confirm', 'This payment requires no authentication.', null);
}

import { failIntent, succeed } from '../confirm-payment';
import type { Params } from '../form';
import { idOf, type Row } from '../objects';
import { AUTHENTICATION_FAILED } from '../test-cards';
import { emit, type Work } from '../work';
import { successUrl } from './checkout-page';
import { html, money } from './html';
import { messagePage, renderPage, seeOther } from './layout';
import type { PageContext } from './pages';

type Intent = Row<'payment_intent'>;

/** `GET /confirm/:payment_intent?secret=…`: the page of the card's bank. */
export async function showConfirmation(
  context: PageContext,
  id: string,
  secret: string | null,
): Promise<Response> {
  const found = await context.database.read(async ({ store }) => {
    const intent = await store.find('payment_intent', id);
    const methodId = idOf(intent?.data.payment_method);
    const sessionId = intent?.hidden.session;
    return {
      intent,
      method: methodId ? await store.find('payment_method', methodId) : null,
      session: sessionId ? await store.find('checkout.session', sessionId) : null,
    };
  });
  const { intent, method, session } = found;
  if (!intent || !secret || intent.data.client_secret !== secret) return unknownPayment();
  if (intent.data.status !== 'requires_action') return nothingToConfirm();
  const total = money(intent.data.amount, intent.data.currency);
  const last4 = method?.data.card?.last4 ?? '';
  return renderPage({
    title: 'Confirm this payment',
    formsTo: [session?.data.success_url ?? null, intent.hidden.returnUrl ?? null],
    body: html`<main class="narrow"><form class="card" method="post" action="${context.publicUrl}/confirm/${id}">
<h1>Pretend bank: confirm this payment</h1>
<p class="total">${total}</p>
<p>A shop asks to charge your card ending in <strong>${last4}</strong>. In life your bank would ask for a code here.</p>
<input type="hidden" name="secret" value="${secret}">
<div class="row"><button class="main" name="answer" value="confirm">Confirm</button><button name="answer" value="refuse">Refuse</button></div>
</form></main>`,
  });
}

/** `POST /confirm/:payment_intent` */
export async function answerConfirmation(
  context: PageContext,
  id: string,
  params: Params,
): Promise<Response> {
  const confirmed = params.text('answer') === 'confirm';
  const { result } = await context.database.write(async (work) => {
    const intent = await work.store.find('payment_intent', id);
    if (!intent || intent.data.client_secret !== params.text('secret')) return unknownPayment();
    if (intent.data.status !== 'requires_action') return nothingToConfirm();
    await answer(work, intent, confirmed);
    return seeOther(await nextAddress(work, intent, confirmed));
  });
  return result;
}

async function answer(work: Work, intent: Intent, confirmed: boolean): Promise<void> {
  const method = await work.store.get('payment_method', idOf(intent.data.payment_method) ?? '');
  if (confirmed) return await succeed(work, intent, method);
  await failIntent(work, intent, method, AUTHENTICATION_FAILED);
  await emit(work, 'payment_intent.payment_failed', intent.data);
}

/** On to the shop, or back to the checkout for another card. */
async function nextAddress(work: Work, intent: Intent, confirmed: boolean): Promise<string> {
  const { session, returnUrl } = intent.hidden;
  if (session)
    return confirmed
      ? successUrl(await work.store.get('checkout.session', session))
      : `${work.publicUrl}/checkout/${session}`;
  if (!returnUrl || !URL.canParse(returnUrl)) return `${work.publicUrl}/confirm/${intent.data.id}`;
  const address = new URL(returnUrl);
  address.searchParams.set('payment_intent', intent.data.id);
  address.searchParams.set('redirect_status', confirmed ? 'succeeded' : 'failed');
  return address.href;
}

function unknownPayment(): Response {
  return messagePage(
    'There is no such payment',
    'Its address is wrong, or its gateway was emptied.',
    null,
    404,
  );
}

function nothingToConfirm(): Response {
  return messagePage('Nothing to confirm', 'This payment does not wait for your bank.', null);
}

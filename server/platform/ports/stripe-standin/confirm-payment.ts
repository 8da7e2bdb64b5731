import type Stripe from 'stripe';
import { createCharge } from './charges';
import { followSession } from './follow-session';
import { idOf, type Row } from './objects';
import { attachMethod, cardOf } from './payment-methods';
import { spendToken } from './spend-token';
import { AUTHENTICATION_REQUIRED, BANK_DEBIT_FAILED, type Decline } from './test-cards';
import { emit, type Work } from './work';

/** Is the owner of the card at the screen, away, or has given a shared payment token? */
export type Presence = 'present' | 'away' | 'token';

type Intent = Row<'payment_intent'>;
type Method = Row<'payment_method'>;

const BANK_SECONDS = 5;

/** Tries to charge a payment method: afterwards the intent's status says what became of it. */
export async function confirmPayment(
  work: Work,
  intent: Intent,
  method: Method,
  presence: Presence,
): Promise<Decline | null> {
  const reaction = react(method, presence);
  if (reaction === 'pay') {
    loseAnswer(work, method, presence);
    await succeed(work, intent, method);
    return null;
  }
  if (reaction !== 'authenticate') return await decline(work, intent, method, reaction);
  if (presence === 'away') return await decline(work, intent, method, AUTHENTICATION_REQUIRED);
  await askForConfirmation(work, intent, method);
  return null;
}

function react(method: Method, presence: Presence) {
  const card = cardOf(method);
  if (!card) return 'pay';
  if (presence === 'present') return card.present;
  if (presence === 'away' && card.remembers && method.hidden.setUp) return 'pay';
  return card.away;
}

/** The first charge of such a card without its owner is made, and its answer lost. */
function loseAnswer(work: Work, method: Method, presence: Presence): void {
  if (presence === 'present' || cardOf(method)?.fault !== 'cut' || method.hidden.cut) return;
  method.hidden.cut = true;
  work.cut = true;
}

/** The money is there. */
export async function succeed(work: Work, intent: Intent, method: Method): Promise<void> {
  const { data, hidden } = intent;
  await saveForLater(work, data, method);
  const waiting = await pendingCharge(work, data);
  if (waiting) {
    Object.assign(waiting.data, {
      status: 'succeeded',
      paid: true,
      captured: true,
      amount_captured: data.amount,
    });
    await work.store.save(waiting);
  }
  const charge = waiting ?? (await createCharge(work, data, method.data, 'succeeded'));
  data.status = 'succeeded';
  data.amount_received = data.amount;
  data.latest_charge = charge.data.id;
  data.payment_method = method.data.id;
  data.last_payment_error = null;
  data.next_action = null;
  data.processing = null;
  delete hidden.settles;
  await work.store.save(intent);
  await emit(work, 'charge.succeeded', charge.data);
  await emit(work, 'payment_intent.succeeded', data);
  if (hidden.token) await spendToken(work, hidden.token, data);
  await followSession(work, intent, waiting ? 'async_payment_succeeded' : 'completed');
}

/** `setup_future_usage`: the card is kept for charges without its owner. */
async function saveForLater(work: Work, intent: Stripe.PaymentIntent, method: Method): Promise<void> {
  const customerId = idOf(intent.customer);
  if (intent.setup_future_usage === 'off_session') method.hidden.setUp = true;
  await work.store.save(method);
  if (intent.setup_future_usage && customerId) await attachMethod(work, method, customerId);
}

async function pendingCharge(work: Work, intent: Stripe.PaymentIntent): Promise<Row<'charge'> | null> {
  const id = idOf(intent.latest_charge);
  const charge = id === null ? null : await work.store.find('charge', id);
  return charge?.data.status === 'pending' ? charge : null;
}

/** The attempt failed; another payment method may be tried. */
export async function decline(work: Work, intent: Intent, method: Method, reason: Decline): Promise<Decline> {
  const { data, hidden } = intent;
  const waiting = await pendingCharge(work, data);
  if (waiting) {
    Object.assign(waiting.data, {
      status: 'failed',
      failure_code: reason.code,
      failure_message: reason.message,
    });
    await work.store.save(waiting);
  }
  const charge = waiting ?? (await createCharge(work, data, method.data, 'failed', reason));
  data.latest_charge = charge.data.id;
  await failIntent(work, intent, method, reason, charge.data.id);
  await emit(work, 'charge.failed', charge.data);
  await emit(work, 'payment_intent.payment_failed', data);
  if (waiting && hidden.session) await followSession(work, intent, 'async_payment_failed');
  return reason;
}

/** Leaves an intent waiting for another payment method. */
export async function failIntent(
  work: Work,
  intent: Intent,
  method: Method,
  reason: Decline,
  chargeId?: string,
): Promise<void> {
  const { data, hidden } = intent;
  data.status = 'requires_payment_method';
  data.payment_method = null;
  data.next_action = null;
  data.processing = null;
  delete hidden.settles;
  data.last_payment_error = {
    type: 'card_error',
    code: reason.code,
    decline_code: reason.declineCode,
    doc_url: `https://docs.stripe.com/error-codes#${reason.code.replaceAll('_', '-')}`,
    message: reason.message,
    payment_method: method.data,
    ...(chargeId && { charge: chargeId }),
  };
  await work.store.save(intent);
}

async function askForConfirmation(work: Work, intent: Intent, method: Method): Promise<void> {
  const { data, hidden } = intent;
  await work.store.save(method);
  data.status = 'requires_action';
  data.payment_method = method.data.id;
  data.next_action = {
    type: 'redirect_to_url',
    redirect_to_url: {
      return_url: hidden.returnUrl ?? null,
      url: `${work.publicUrl}/confirm/${data.id}?secret=${data.client_secret}`,
    },
  };
  await work.store.save(intent);
  await emit(work, 'payment_intent.requires_action', data);
}

/** A bank debit is on its way: it ends some seconds later. */
export async function processBankDebit(
  work: Work,
  intent: Intent,
  method: Method,
  outcome: 'succeeded' | 'failed',
): Promise<void> {
  const { data, hidden } = intent;
  const charge = await createCharge(work, data, method.data, 'pending');
  data.status = 'processing';
  data.payment_method = method.data.id;
  data.latest_charge = charge.data.id;
  data.last_payment_error = null;
  hidden.settles = { at: work.now + BANK_SECONDS, outcome };
  await work.store.save(intent);
  await emit(work, 'charge.pending', charge.data);
  await emit(work, 'payment_intent.processing', data);
  await followSession(work, intent, 'completed');
}

/** The bank's answer to a debit that was on its way; nothing where it has answered already. */
export async function settleBankDebit(
  work: Work,
  intentId: string,
  outcome?: 'succeeded' | 'failed',
): Promise<void> {
  const intent = await work.store.get('payment_intent', intentId);
  const methodId = idOf(intent.data.payment_method);
  if (intent.data.status !== 'processing' || methodId === null) return;
  const method = await work.store.get('payment_method', methodId);
  if ((outcome ?? intent.hidden.settles?.outcome) === 'failed')
    await decline(work, intent, method, BANK_DEBIT_FAILED);
  else await succeed(work, intent, method);
}

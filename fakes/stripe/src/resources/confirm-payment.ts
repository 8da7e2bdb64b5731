import type Stripe from 'stripe';
import { emit, type Transaction } from '../state/transactions';
import { createCharge } from './charges';
import { getId, type Row } from './objects';
import { attachMethod, getTestCard } from './payment-methods';
import { recordTokenUse } from './record-token-use';
import { AUTHENTICATION_REQUIRED, BANK_DEBIT_FAILED, type Decline } from './test-cards';
import { updateSession } from './update-session';

/**
 * How a payment is confirmed: by the cardholder on a page, without them, or by a shared payment
 * token.
 */
export type Initiator = 'on_session' | 'off_session' | 'token';

type Intent = Row<'payment_intent'>;
type Method = Row<'payment_method'>;

const BANK_DEBIT_SECONDS = 5;

/**
 * Attempts a charge and updates the status of the intent.
 * @returns the reason if it was declined
 */
export async function confirmPayment(
  tx: Transaction,
  intent: Intent,
  method: Method,
  initiator: Initiator,
): Promise<Decline | null> {
  const reaction = chooseReaction(method, initiator);
  if (reaction === 'pay') {
    dropResponseOnce(tx, method, initiator);
    await completePayment(tx, intent, method);
    return null;
  }
  if (reaction !== 'authenticate') return await declinePayment(tx, intent, method, reaction);
  if (initiator === 'off_session') return await declinePayment(tx, intent, method, AUTHENTICATION_REQUIRED);
  await requireAuthentication(tx, intent, method);
  return null;
}

function chooseReaction(method: Method, initiator: Initiator) {
  const card = getTestCard(method);
  if (!card) return 'pay';
  if (initiator === 'on_session') return card.onSession;
  if (initiator === 'off_session' && card.authenticatesOnce && method.hidden.setUp) return 'pay';
  return card.offSession;
}

/** With the card for it: the first off-session charge succeeds, and its response is dropped. */
function dropResponseOnce(tx: Transaction, method: Method, initiator: Initiator): void {
  if (initiator === 'on_session' || getTestCard(method)?.fault !== 'cut' || method.hidden.cut) return;
  method.hidden.cut = true;
  tx.cut = true;
}

export async function completePayment(tx: Transaction, intent: Intent, method: Method): Promise<void> {
  const { data, hidden } = intent;
  await savePaymentMethod(tx, data, method);
  const pending = await findPendingCharge(tx, data);
  if (pending) {
    Object.assign(pending.data, {
      status: 'succeeded',
      paid: true,
      captured: true,
      amount_captured: data.amount,
    });
    await tx.store.save(pending);
  }
  const charge = pending ?? (await createCharge(tx, data, method.data, 'succeeded'));
  data.status = 'succeeded';
  data.amount_received = data.amount;
  data.latest_charge = charge.data.id;
  data.payment_method = method.data.id;
  data.last_payment_error = null;
  data.next_action = null;
  data.processing = null;
  delete hidden.settles;
  await tx.store.save(intent);
  await emit(tx, 'charge.succeeded', charge.data);
  await emit(tx, 'payment_intent.succeeded', data);
  if (hidden.token) await recordTokenUse(tx, hidden.token, data);
  await updateSession(tx, intent, pending ? 'async_payment_succeeded' : 'completed');
}

/** `setup_future_usage` saves the card for later charges. */
async function savePaymentMethod(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
  method: Method,
): Promise<void> {
  const customerId = getId(intent.customer);
  if (intent.setup_future_usage === 'off_session') method.hidden.setUp = true;
  await tx.store.save(method);
  if (intent.setup_future_usage && customerId) await attachMethod(tx, method, customerId);
}

async function findPendingCharge(
  tx: Transaction,
  intent: Stripe.PaymentIntent,
): Promise<Row<'charge'> | null> {
  const id = getId(intent.latest_charge);
  const charge = id === null ? null : await tx.store.find('charge', id);
  return charge?.data.status === 'pending' ? charge : null;
}

/** Declines the attempt; another payment method can be tried. */
export async function declinePayment(
  tx: Transaction,
  intent: Intent,
  method: Method,
  reason: Decline,
): Promise<Decline> {
  const { data, hidden } = intent;
  const pending = await findPendingCharge(tx, data);
  if (pending) {
    Object.assign(pending.data, {
      status: 'failed',
      failure_code: reason.code,
      failure_message: reason.message,
    });
    await tx.store.save(pending);
  }
  const charge = pending ?? (await createCharge(tx, data, method.data, 'failed', reason));
  data.latest_charge = charge.data.id;
  await failIntent(tx, intent, method, reason, charge.data.id);
  await emit(tx, 'charge.failed', charge.data);
  await emit(tx, 'payment_intent.payment_failed', data);
  if (pending && hidden.session) await updateSession(tx, intent, 'async_payment_failed');
  return reason;
}

/** Sets an intent to `requires_payment_method` with its error. */
export async function failIntent(
  tx: Transaction,
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
  await tx.store.save(intent);
}

async function requireAuthentication(tx: Transaction, intent: Intent, method: Method): Promise<void> {
  const { data, hidden } = intent;
  await tx.store.save(method);
  data.status = 'requires_action';
  data.payment_method = method.data.id;
  data.next_action = {
    type: 'redirect_to_url',
    redirect_to_url: {
      return_url: hidden.returnUrl ?? null,
      url: `${tx.publicUrl}/confirm/${data.id}?secret=${data.client_secret}`,
    },
  };
  await tx.store.save(intent);
  await emit(tx, 'payment_intent.requires_action', data);
}

/** Starts a bank debit, which completes after some seconds. */
export async function processBankDebit(
  tx: Transaction,
  intent: Intent,
  method: Method,
  outcome: 'succeeded' | 'failed',
): Promise<void> {
  const { data, hidden } = intent;
  const charge = await createCharge(tx, data, method.data, 'pending');
  data.status = 'processing';
  data.payment_method = method.data.id;
  data.latest_charge = charge.data.id;
  data.last_payment_error = null;
  hidden.settles = { at: tx.now + BANK_DEBIT_SECONDS, outcome };
  await tx.store.save(intent);
  await emit(tx, 'charge.pending', charge.data);
  await emit(tx, 'payment_intent.processing', data);
  await updateSession(tx, intent, 'completed');
}

/** Completes a bank debit; does nothing if it is completed already. */
export async function completeBankDebit(
  tx: Transaction,
  intentId: string,
  outcome?: 'succeeded' | 'failed',
): Promise<void> {
  const intent = await tx.store.get('payment_intent', intentId);
  const methodId = getId(intent.data.payment_method);
  if (intent.data.status !== 'processing' || methodId === null) return;
  const method = await tx.store.get('payment_method', methodId);
  if ((outcome ?? intent.hidden.settles?.outcome) === 'failed')
    await declinePayment(tx, intent, method, BANK_DEBIT_FAILED);
  else await completePayment(tx, intent, method);
}

import { emit, type Transaction } from '../state/transactions';
import type { Row } from './objects';

/** `completed` also if the payment is still processing. */
type PaymentProgress = 'completed' | 'async_payment_succeeded' | 'async_payment_failed';

/** Updates the checkout session of a payment, if it has one. */
export async function updateSession(
  tx: Transaction,
  intent: Row<'payment_intent'>,
  progress: PaymentProgress,
): Promise<void> {
  const { session: sessionId } = intent.hidden;
  if (!sessionId) return;
  const row = await tx.store.get('checkout.session', sessionId);
  const session = row.data;
  if (session.status === 'expired') return;
  session.status = 'complete';
  session.url = null;
  if (intent.data.status === 'succeeded') session.payment_status = 'paid';
  await tx.store.save(row);
  await emit(tx, `checkout.session.${progress}`, session);
}

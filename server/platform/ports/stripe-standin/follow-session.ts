import type { Row } from './objects';
import { emit, type Work } from './work';

/** What became of the payment of a checkout session; `completed` also where the money is still on its way. */
type Progress = 'completed' | 'async_payment_succeeded' | 'async_payment_failed';

/** Carries a payment's progress to the checkout session that it belongs to, if any. */
export async function followSession(
  work: Work,
  intent: Row<'payment_intent'>,
  progress: Progress,
): Promise<void> {
  const { session: sessionId } = intent.hidden;
  if (!sessionId) return;
  const row = await work.store.get('checkout.session', sessionId);
  const session = row.data;
  if (session.status === 'expired') return;
  session.status = 'complete';
  session.url = null;
  if (intent.data.status === 'succeeded') session.payment_status = 'paid';
  await work.store.save(row);
  await emit(work, `checkout.session.${progress}`, session);
}

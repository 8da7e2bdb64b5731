import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import { processEvent } from './receive-event';
import { expireUnpaid, findEventsMark, listStaleCheckouts, markEventsFetched } from './store';
import { syncOrder } from './sync-order';

/** Checkouts polled in one round. */
const MAX_CHECKOUTS = 50;

/** Polls checkouts whose end no webhook has reported. */
export async function catchUpCheckouts(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  const { payments } = runtime.ports;
  await expireUnpaid(runtime.db, payments?.mode ?? null);
  if (!payments) return;
  for (const order of await listStaleCheckouts(runtime.db, payments.mode, MAX_CHECKOUTS)) {
    if (signal.aborted) return;
    await syncOrder(runtime, payments, order);
  }
}

/**
 * Fetches events that were not delivered, so that refunds and disputes are noticed without a
 * webhook. Only a complete round without failures advances the mark.
 */
export async function catchUpEvents(
  runtime: Pick<Runtime, 'db' | 'log' | 'ports' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  const { db, log, ports } = runtime;
  const { payments } = ports;
  if (!payments) return;
  const { since, now } = await findEventsMark(db, payments.mode);
  let complete = true;
  for await (const event of payments.listEvents(since)) {
    if (signal.aborted) return;
    try {
      await processEvent(runtime, payments, event);
    } catch (error) {
      if (error instanceof PaymentsUnavailable) throw error;
      // A failing event must not block those after it.
      log.error('payment_event.apply_failed', { eventId: event.id, type: event.type, error });
      complete = false;
    }
  }
  if (complete) await markEventsFetched(db, payments.mode, now);
}

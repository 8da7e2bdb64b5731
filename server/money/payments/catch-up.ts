import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import type { Runtime } from '../../core/runtime';
import { lookAtOrder } from './look-at-order';
import { workOnEvent } from './receive-event';
import { expireUnpaid, findEventsMark, listStaleCheckouts, markEventsFetched } from './store';

/** Checkouts looked at in one round. */
const MAX_CHECKOUTS = 50;

/** Looks at checkouts whose end nobody told us: no webhook is set up, or none came through. */
export async function catchUpCheckouts(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { payments } = runtime.ports;
  await expireUnpaid(runtime.db, payments?.mode ?? null);
  if (!payments) return;
  for (const order of await listStaleCheckouts(runtime.db, payments.mode, MAX_CHECKOUTS)) {
    if (signal.aborted) return;
    await lookAtOrder(runtime, payments, order);
  }
}

/**
 * Fetches events that did not come through: refunds and disputes are learned also without a webhook. Only a round that
 * reached the end and in which nothing failed is not made again.
 */
export async function catchUpEvents(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { db, log, ports } = runtime;
  const { payments } = ports;
  if (!payments) return;
  const { since, now } = await findEventsMark(db, payments.mode);
  let whole = true;
  for await (const event of payments.listEvents(since)) {
    if (signal.aborted) return;
    try {
      await workOnEvent(runtime, payments, event);
    } catch (error) {
      if (error instanceof PaymentsUnavailable) throw error;
      // One that cannot be worked on does not keep back those after it.
      log.error('a payment event was not applied', { eventId: event.id, type: event.type, error });
      whole = false;
    }
  }
  if (whole) await markEventsFetched(db, payments.mode, now);
}

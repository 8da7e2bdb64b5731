import type { Runtime } from '../runtime';
import { lookAtOrder } from './look-at-order';
import { workOnEvent } from './receive-event';
import { expireUnpaid, findEventsMark, listStaleCheckouts } from './store';

/** Checkouts looked at in one round. */
const MAX_CHECKOUTS = 50;

/** Looks at checkouts whose end nobody told us: no webhook is set up, or none came through. */
export async function catchUpCheckouts(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { payments } = runtime.ports;
  await expireUnpaid(runtime.db);
  if (!payments) return;
  for (const order of await listStaleCheckouts(runtime.db, MAX_CHECKOUTS)) {
    if (signal.aborted) return;
    await lookAtOrder(runtime, payments, order);
  }
}

/** Fetches events that did not come through: refunds and disputes are learned also without a webhook. */
export async function catchUpEvents(runtime: Runtime, signal: AbortSignal): Promise<void> {
  const { payments } = runtime.ports;
  if (!payments) return;
  for await (const event of payments.listEvents(await findEventsMark(runtime.db))) {
    if (signal.aborted) return;
    await workOnEvent(runtime, payments, event);
  }
}

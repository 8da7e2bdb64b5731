import type { Runtime } from '../../core/runtime';
import { requeueOverdue } from './delivery-store';

/** Longer than a delivery usually waits for its turn in the queue. */
const OVERDUE_SECONDS = 15;
const MAX_RECEIVERS = 500;

/** Finds deliveries that the queue has lost, for example with the process that took them. */
export async function requeueWebhooks({ db }: Pick<Runtime, 'db'>): Promise<void> {
  await requeueOverdue(db, OVERDUE_SECONDS, MAX_RECEIVERS);
}

/**
 * Finds deliveries at once that this process took without an answer. Those of other processes may
 * be among them: a delivery is leased once, however often it is in the queue.
 */
export async function giveBackDeliveries({ db }: Pick<Runtime, 'db'>): Promise<void> {
  await requeueOverdue(db, 0, MAX_RECEIVERS);
}

import type { Runtime } from '../../core/runtime';
import { requeueOverdue } from './delivery-store';

/** Longer than a delivery usually waits for its turn in the queue. */
const OVERDUE_SECONDS = 15;
const MAX_RECEIVERS = 500;

/** Finds deliveries that the queue has lost, for example with the process that took them. */
export async function requeueWebhooks({ db }: Pick<Runtime, 'db'>): Promise<void> {
  await requeueOverdue(db, OVERDUE_SECONDS, MAX_RECEIVERS);
}

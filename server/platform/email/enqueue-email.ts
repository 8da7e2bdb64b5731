import type { Executor } from '@/db/client';
import { insertEmail, type NewEmail } from './store';

/** Queues an email to the managers of an account; it is sent if the transaction commits. */
export async function enqueueEmail(tx: Executor, mail: NewEmail): Promise<void> {
  await insertEmail(tx, mail);
}

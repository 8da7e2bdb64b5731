import type { Executor } from '@/db/client';
import { insertMail, type NewMail } from './store';

/** Queues an email to the managers of an account; it is sent if the transaction commits. */
export async function enqueueMail(tx: Executor, mail: NewMail): Promise<void> {
  await insertMail(tx, mail);
}

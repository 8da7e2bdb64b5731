import type { Executor } from '@/db/client';
import { insertMail, type NewMail } from './store';

/** Has a mail sent to who runs an account, if the transaction of its cause commits. */
export async function enqueueMail(tx: Executor, mail: NewMail): Promise<void> {
  await insertMail(tx, mail);
}

import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { outgoingMails } from '@/db/schema/payments';

export type NewMail = Pick<typeof outgoingMails.$inferInsert, 'kind' | 'accountId' | 'ref'>;

/** Wakes the processes that send, when the transaction commits. */
export async function insertMail(tx: Executor, mail: NewMail): Promise<void> {
  await tx.insert(outgoingMails).values(mail);
  await tx.execute(sql`select pg_notify('gateway', 'money')`);
}

import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { outgoingEmails } from '@/db/schema/payments';

type NewEmail = Pick<typeof outgoingEmails.$inferInsert, 'kind' | 'accountId' | 'ref'>;

/**
 * Queues an email to the managers of an account, and wakes the processes that send when the
 * transaction commits.
 */
export async function enqueueEmail(tx: Executor, mail: NewEmail): Promise<void> {
  await tx.insert(outgoingEmails).values(mail);
  await tx.execute(sql`select pg_notify('gateway', 'money')`);
}

/** Queues the receipt of a payment to the billing email of its account, if it has one. */
export async function enqueueReceipt(tx: Executor, accountId: string, paymentId: string): Promise<void> {
  await tx.execute(sql`
    with mail as (
      insert into outgoing_emails (kind, account_id, ref)
      select 'receipt', d.account_id, ${paymentId} from billing_details d
      where d.account_id = ${accountId} and d.billing_email is not null
      returning id)
    select pg_notify('gateway', 'money') from mail`);
}

import type { Executor } from '@/db/client';
import type { InvoiceParty } from '@/db/schema/invoices';
import type { Receipt } from '../billing/schema';
import { describeReceipt } from './get-receipt';
import { findReceipt, listReceiptsOfYear, type ReceiptRow } from './store';

/** A receipt with its customer, who is frozen in it. */
export type NamedReceipt = Receipt & { customer: InvoiceParty };

/** The receipt of a payment. The caller has authorised the account. */
export async function findNamedReceipt(db: Executor, paymentId: string): Promise<NamedReceipt | null> {
  const row = await findReceipt(db, paymentId);
  return row && nameReceipt(row);
}

/** The payments of a year (UTC), oldest first. The caller has authorised the account. */
export async function listYearReceipts(
  db: Executor,
  accountId: string,
  { year, after, limit }: { year: number; after: NamedReceipt | null; limit: number },
): Promise<NamedReceipt[]> {
  const page = { year, after: after?.payment_id ?? null, limit };
  return (await listReceiptsOfYear(db, accountId, page)).map(nameReceipt);
}

function nameReceipt(row: ReceiptRow): NamedReceipt {
  return {
    ...describeReceipt(row),
    customer: {
      name: row.customer?.company || (row.customer?.account ?? row.account_name),
      address: row.customer?.address ?? '',
      vat_id: row.customer?.vat_id || null,
    },
  };
}

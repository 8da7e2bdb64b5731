import type { Executor } from '@/db/client';
import type { InvoiceParty } from '@/db/schema/invoices';
import type { Receipt } from '../billing/schema';
import { describeReceipt } from './get-receipt';
import { listReceiptsOfYear } from './store';

/** A receipt with its customer, who is frozen in it. */
export type YearReceipt = Receipt & { customer: InvoiceParty };

/** The payments of a year (UTC), oldest first. The caller has authorised the account. */
export async function listYearReceipts(
  db: Executor,
  accountId: string,
  { year, after, limit }: { year: number; after: YearReceipt | null; limit: number },
): Promise<YearReceipt[]> {
  const page = { year, after: after?.payment_id ?? null, limit };
  return (await listReceiptsOfYear(db, accountId, page)).map((row) => ({
    ...describeReceipt(row),
    customer: {
      name: row.customer?.company || (row.customer?.account ?? row.account_name),
      address: row.customer?.address ?? '',
      vat_id: row.customer?.vat_id || null,
    },
  }));
}

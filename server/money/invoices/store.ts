import { and, asc, eq, gte, inArray, lt, sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { defineRow, integer, timestamptz } from '@/db/rows';
import { billingDetails, invoices } from '@/db/schema/invoices';

export type InvoiceRow = typeof invoices.$inferSelect;
export type DetailsRow = Omit<typeof billingDetails.$inferSelect, 'accountId' | 'updatedAt'>;

const NO_DETAILS: DetailsRow = { companyName: '', address: '', vatId: '', billingEmail: null };

export async function findDetails(db: Executor, accountId: string): Promise<DetailsRow> {
  const [row] = await db.select().from(billingDetails).where(eq(billingDetails.accountId, accountId));
  return row ?? NO_DETAILS;
}

export async function writeDetails(tx: Executor, accountId: string, details: DetailsRow): Promise<void> {
  await tx
    .insert(billingDetails)
    .values({ accountId, ...details })
    .onConflictDoUpdate({ target: billingDetails.accountId, set: { ...details, updatedAt: sql`now()` } });
}

/** An account's details are erased when it is closed; its invoices stay with the books. */
export async function deleteDetails(tx: Executor, accountId: string): Promise<void> {
  await tx.delete(billingDetails).where(eq(billingDetails.accountId, accountId));
}

const numberRow = defineRow({ year: integer(), sequence: integer(), issued_at: timestamptz() });

/**
 * Draws the next number of a series and the time of issue, under the lock of its counter until the
 * transaction ends: a rollback leaves no gap, and later numbers are not older.
 */
export async function drawNumber(
  tx: Executor,
  { seller, test }: { seller: string; test: boolean },
): Promise<{ year: number; sequence: number; issuedAt: Date }> {
  const [row] = await numberRow.read(
    tx.execute(sql`
      insert into invoice_counters as c (seller, test, year, last)
      values (${seller}, ${test}, extract(year from clock_timestamp() at time zone 'UTC')::int, 1)
      on conflict (seller, test, year) do update set last = c.last + 1
      returning year, last as sequence,
        least(clock_timestamp(), make_timestamptz(year + 1, 1, 1, 0, 0, 0, 'UTC') - interval '1 millisecond') as issued_at`),
  );
  if (!row) throw new Error('An invoice number was not drawn');
  return { year: row.year, sequence: row.sequence, issuedAt: new Date(row.issued_at) };
}

export async function insertInvoice(tx: Executor, row: typeof invoices.$inferInsert): Promise<InvoiceRow> {
  const [written] = await tx.insert(invoices).values(row).returning();
  if (!written) throw new Error('An invoice was not written');
  return written;
}

export async function findInvoice(db: Executor, id: string): Promise<InvoiceRow | null> {
  const [row] = await db.select().from(invoices).where(eq(invoices.id, id));
  return row ?? null;
}

/** The documents of payments, in the order of issue. */
export async function listInvoices(db: Executor, paymentIds: readonly string[]): Promise<InvoiceRow[]> {
  if (paymentIds.length === 0) return [];
  return await db
    .select()
    .from(invoices)
    .where(inArray(invoices.paymentId, [...paymentIds]))
    .orderBy(asc(invoices.issuedAt), asc(invoices.id));
}

/**
 * The invoices and credit notes that an account got in a year (UTC), in the order of issue.
 * @param after the last one before the page
 */
export async function listYearInvoices(
  db: Executor,
  accountId: string,
  { year, after, limit }: { year: number; after: InvoiceRow | null; limit: number },
): Promise<InvoiceRow[]> {
  const later =
    after &&
    sql`(${invoices.issuedAt}, ${invoices.id}) > (select issued_at, id from invoices where id = ${after.id})`;
  return await db
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.accountId, accountId),
        gte(invoices.issuedAt, new Date(Date.UTC(year, 0, 1))),
        lt(invoices.issuedAt, new Date(Date.UTC(year + 1, 0, 1))),
        later ?? undefined,
      ),
    )
    .orderBy(asc(invoices.issuedAt), asc(invoices.id))
    .limit(limit);
}

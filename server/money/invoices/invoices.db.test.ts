import { readFile } from 'node:fs/promises';
import { getDocumentProxy } from 'unpdf';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberships } from '@/db/schema/accounts';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { readZip } from '@/test/support/read-zip';
import { reconcilePayment } from '../payments/reconcile-payment';
import { getDetails, setDetails } from './billing-details';
import { writeDocumentsCsv } from './documents-csv';
import { writeDocumentsZip } from './documents-zip';
import { forgetDetails } from './forget-details';
import {
  completeReceipt,
  getInvoicedPayments,
  getInvoicedReceipt,
  getInvoicePdf,
  getReceiptPdf,
  requestInvoice,
} from './request-invoice';
import type { DetailsUpdate } from './schema';
import { actAs, DETAILS, payForCredit, readPdf, SELLER } from './testing/invoice-fixture';

const payments = new FakePayments();
let harness: Harness;
let unnamed: Harness;

beforeAll(async () => {
  harness = await startHarness({ ports: { payments }, env: SELLER, role: 'command' });
  unnamed = await startHarness({ ports: { payments }, peer: harness, role: 'command' });
});
afterAll(async () => {
  await unnamed.close();
  await harness.close();
});

type Person = Awaited<ReturnType<Harness['person']>>;
const as = (person: Person, at = harness) => actAs(person, at);
const buy = (person: Person, usd?: number, billing?: string) =>
  payForCredit(harness, payments, person, { usd, billing });

async function refund(paymentId: string, cents: number): Promise<void> {
  payments.objects(paymentId).refundedCents = cents;
  await reconcilePayment(harness.runtime, payments, paymentId);
}

async function dispute(paymentId: string, state: 'open' | 'lost' | 'won', cents: number): Promise<void> {
  payments.objects(paymentId).disputes = [{ id: `dp_${paymentId}`, cents, state }];
  await reconcilePayment(harness.runtime, payments, paymentId);
}

async function invoiceText(person: Person, invoiceId = ''): Promise<string> {
  return await readPdf((await getInvoicePdf(as(person), invoiceId)).bytes);
}

describe('an invoice', () => {
  it('names seller, customer, lines and total, and is marked as a test outside live mode', async () => {
    const person = await harness.person();
    await setDetails(as(person), DETAILS);
    const paymentId = await buy(person, 20);
    const [invoice] = await requestInvoice(as(person), paymentId);
    expect(invoice).toMatchObject({ kind: 'invoice', total_usd: 21.1, test: true, payment_id: paymentId });
    const text = await invoiceText(person, invoice?.invoice_id);
    for (const words of [
      ...['TEST – not an invoice', invoice?.number ?? '?', 'Gateway Ltd', 'Quay 1', 'VAT ID: DE999'],
      ...['Ada & Söhne GmbH', 'Elbchaussee 2', 'VAT ID: DE123456789', '$20.00', '$1.10', '$21.10'],
    ])
      expect(text).toContain(words);
  });

  it('is issued once and stays as it was: later details, names and repeated requests change nothing', async () => {
    const person = await harness.person();
    await setDetails(as(person), DETAILS);
    const paymentId = await buy(person);
    const all = await Promise.all(Array.from({ length: 6 }, () => requestInvoice(as(person), paymentId)));
    const [invoice] = all[0] ?? [];
    for (const documents of all) expect(documents).toEqual([invoice]);
    const before = await invoiceText(person, invoice?.invoice_id);
    await setDetails(as(person), { ...DETAILS, company_name: 'Other', vat_id: '' });
    expect(await requestInvoice(as(person), paymentId)).toEqual([invoice]);
    expect(await invoiceText(person, invoice?.invoice_id)).toBe(before);
    for (const change of ["update invoices set number = 'x'", 'delete from invoices', 'truncate invoices'])
      await expect(harness.runtime.sql.unsafe(change)).rejects.toThrow('append-only');
  });

  it('has numbers without gaps, also for concurrent requests of many accounts and failed transactions', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => harness.person()));
    const bought: { person: Person; paymentId: string }[] = [];
    for (const person of people)
      for (let i = 0; i < 4; i++) bought.push({ person, paymentId: await buy(person) });
    await Promise.all(
      bought.map(async ({ person, paymentId }, at) => {
        if (at % 3 === 0)
          await requestInvoice(as(people[(at + 1) % 4] ?? person), paymentId).catch(() => undefined);
        await requestInvoice(as(person), paymentId);
      }),
    );
    const rows = await harness.runtime.sql`
      select seller, test, year, min(sequence)::int as first, max(sequence)::int as last, count(*)::int as n
      from invoices group by 1, 2, 3`;
    for (const { first, last, n } of rows) expect([first, last]).toEqual([1, n]);
    const ordered = await harness.runtime.sql`
      select bool_and(ok) as ok from (
        select issued_at >= lag(issued_at, 1, issued_at) over (partition by seller, test, year order by sequence) as ok
        from invoices) o`;
    expect(ordered[0]?.ok).toBe(true);
  });

  it('of a refunded payment is corrected by credit notes that add up to the refund', async () => {
    const person = await harness.person();
    const paymentId = await buy(person);
    await refund(paymentId, 300);
    const [invoice, note] = await requestInvoice(as(person), paymentId);
    expect(note).toMatchObject({ kind: 'credit_note', total_usd: 3 });
    const text = await invoiceText(person, note?.invoice_id);
    for (const words of ['Credit note', `Refund of invoice ${invoice?.number}`, '$3.00', 'Total refunded'])
      expect(text).toContain(words);
    await refund(paymentId, 1080);
    const listed = await getInvoicedPayments(as(person), {});
    expect(listed.payments[0]).toMatchObject({
      invoice_due: false,
      credit_note_due_usd: 7.8,
      invoices: [invoice, note],
    });
    const documents = await requestInvoice(as(person), paymentId);
    expect(documents.map(({ total_usd }) => total_usd)).toEqual([10.8, 3, 7.8]);
    expect((await getInvoicedReceipt(as(person), paymentId)).credit_note_due_usd).toBe(0);
  });

  it('of a disputed payment is corrected once the bank has decided against the seller', async () => {
    const person = await harness.person();
    const paymentId = await buy(person);
    await refund(paymentId, 300);
    await dispute(paymentId, 'open', 780);
    expect((await requestInvoice(as(person), paymentId)).map(({ total_usd }) => total_usd)).toEqual([
      10.8, 3,
    ]);
    expect((await getInvoicedReceipt(as(person), paymentId)).credit_note_due_usd).toBe(0);
    await dispute(paymentId, 'lost', 780);
    expect((await getInvoicedReceipt(as(person), paymentId)).credit_note_due_usd).toBe(7.8);
    const documents = await requestInvoice(as(person), paymentId);
    expect(documents.map(({ total_usd }) => total_usd)).toEqual([10.8, 3, 7.8]);
    const text = await invoiceText(person, documents[2]?.invoice_id);
    expect(text).toContain(`Refund or lost dispute of invoice ${documents[0]?.number}`);
    const won = await buy(person);
    await dispute(won, 'won', 1080);
    expect((await requestInvoice(as(person), won)).map(({ kind }) => kind)).toEqual(['invoice']);
  });

  it('shows a name and address without spaces on the page, in lines of their own', async () => {
    const person = await harness.person();
    await setDetails(as(person), { ...DETAILS, company_name: 'W'.repeat(200), address: 'w'.repeat(500) });
    const [invoice] = await requestInvoice(as(person), await buy(person));
    const { bytes } = await getInvoicePdf(as(person), invoice?.invoice_id ?? '');
    const pdf = await getDocumentProxy(new Uint8Array(bytes));
    const found: string[] = [];
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const [, , pageWidth = 0] = page.view;
      for (const item of (await page.getTextContent()).items)
        if ('str' in item && /^[Ww]+$/.test(item.str)) {
          expect(item.transform[4] + item.width).toBeLessThan(pageWidth);
          found.push(item.str);
        }
    }
    expect(found.join('')).toContain('W'.repeat(200));
    expect(found.join('')).toContain('w'.repeat(500));
  });

  it('of real money needs the seller in the settings', async () => {
    const person = await harness.person();
    const paymentId = await buy(person);
    await harness.runtime.sql`update payments set mode = 'live' where id = ${paymentId}`;
    await expect(requestInvoice(as(person, unnamed), paymentId)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('SELLER_NAME and SELLER_ADDRESS'),
    });
    const [invoice] = await requestInvoice(as(person), paymentId);
    expect(invoice?.test).toBe(false);
    expect(invoice?.number).toMatch(/^\d{4}-\d{6}$/);
    expect(await invoiceText(person, invoice?.invoice_id)).not.toContain('TEST');
  });

  it('is for owners and admins only, by page and by key', async () => {
    const [owner, member, other] = await Promise.all([harness.person(), harness.person(), harness.person()]);
    const teamId = await harness.team(owner.userId, 'invoiced', 1n);
    await harness.runtime.db
      .insert(memberships)
      .values({ accountId: teamId, userId: member.userId, role: 'member' });
    const paymentId = await buy(owner, 10, 'invoiced');
    await expect(requestInvoice(as(member), paymentId)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(requestInvoice(as(other), paymentId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const request = (key: string) =>
      harness.request('POST', '/v1/billing/invoices', { key, json: { payment_id: paymentId } });
    expect((await request(member.key)).status).toBe(403);
    const { status, body } = await request(owner.key);
    expect([status, body.invoices[0].kind]).toEqual([200, 'invoice']);
    const id = body.invoices[0].invoice_id;
    await expect(getInvoicePdf(as(member), id)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(getInvoicePdf(as(other), id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await getInvoicedPayments(as(member), { billing: 'invoiced' })).payments[0]).toMatchObject({
      invoices: [],
      invoice_due: false,
    });
    expect((await getInvoicedReceipt(as(member), paymentId)).customer).toEqual({
      name: 'invoiced',
      address: '',
      vat_id: '',
    });
    await setDetails(as(owner), { ...DETAILS, billing: 'invoiced' });
    const named = await buy(owner, 10, 'invoiced');
    expect((await getInvoicedReceipt(as(member), named)).customer).toEqual({
      name: DETAILS.company_name,
      address: '',
      vat_id: '',
    });
    expect((await getInvoicedReceipt(as(owner), named)).customer.vat_id).toBe('DE123456789');
    await expect(completeReceipt(as(member), named)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const person of [member, other])
      await expect(getDetails(as(person), 'invoiced')).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

const CUSTOMER = {
  name: 'Ada & Söhne GmbH',
  address: 'Elbchaussee 2\n22765 Hamburg',
  vat_id: 'DE123456789',
};
const LATER: DetailsUpdate = { ...DETAILS, company_name: 'Later Ltd', address: 'Elsewhere 9', vat_id: '' };

describe('a receipt', () => {
  const read = async (person: Person, paymentId: string) => {
    const { customer, completable, receipt_number } = await getInvoicedReceipt(as(person), paymentId);
    return { customer, completable, receipt_number };
  };

  it('and the invoice issued from it name the customer as when the payment was made', async () => {
    const person = await harness.person();
    await setDetails(as(person), DETAILS);
    const paymentId = await buy(person);
    const first = await read(person, paymentId);
    expect(first).toMatchObject({ customer: CUSTOMER, completable: false });
    expect(first.receipt_number).toMatch(/^R-\d{6}$/);
    await setDetails(as(person), LATER);
    await refund(paymentId, 100);
    expect(await read(person, paymentId)).toEqual(first);
    expect((await completeReceipt(as(person), paymentId)).customer).toEqual(CUSTOMER);
    const [invoice] = await requestInvoice(as(person), paymentId);
    const text = await invoiceText(person, invoice?.invoice_id);
    expect(text).toContain('Ada & Söhne GmbH');
    expect(text).not.toContain('Later Ltd');
    const next = await read(person, await buy(person));
    expect(next.customer.name).toBe('Later Ltd');
    expect(next.receipt_number).not.toBe(first.receipt_number);
  });

  it('made without details is completed once, by its button or by its invoice', async () => {
    const person = await harness.person();
    const [byButton, byInvoice] = [await buy(person), await buy(person)];
    const account = (await getInvoicedReceipt(as(person), byButton)).account.name;
    const unnamed = { name: account, address: '', vat_id: '' };
    await expect(completeReceipt(as(person), byButton)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('No billing details are saved'),
    });
    await setDetails(as(person), DETAILS);
    expect(await read(person, byButton)).toMatchObject({ customer: unnamed, completable: true });
    const all = await Promise.all(Array.from({ length: 4 }, () => completeReceipt(as(person), byButton)));
    for (const { customer, completable } of all) expect([customer, completable]).toEqual([CUSTOMER, false]);
    await requestInvoice(as(person), byInvoice);
    await setDetails(as(person), LATER);
    await completeReceipt(as(person), byButton);
    for (const id of [byButton, byInvoice])
      expect(await read(person, id)).toMatchObject({ customer: CUSTOMER, completable: false });
    const changes = await harness.runtime.sql`
      select target from audit_events where action = 'billing.receipt' and account_id = ${person.accountId}`;
    expect(changes.map(({ target }) => target)).toEqual([byButton]);
  });

  it('of an earlier version keeps what it showed at the upgrade, and its payment id as number', async () => {
    const person = await harness.person();
    const bare = await harness.person();
    const [paymentId, unnamed] = [await buy(person), await buy(bare)];
    await setDetails(as(person), DETAILS);
    await harness.runtime.sql`
      update payments set customer = null, receipt_number = null where id in (${paymentId}, ${unnamed})`;
    const migration = await readFile('db/migrations/0011_receipts.sql', 'utf8');
    await harness.runtime.sql.unsafe(migration.slice(migration.indexOf('UPDATE "payments"')));
    await setDetails(as(person), LATER);
    expect(await read(person, paymentId)).toEqual({
      customer: CUSTOMER,
      completable: false,
      receipt_number: null,
    });
    expect(await read(bare, unnamed)).toMatchObject({ completable: true, receipt_number: null });
  });

  it('is a PDF with its customer, lines, total and what was given back; invented payments have none', async () => {
    const person = await harness.person();
    await setDetails(as(person), DETAILS);
    const paymentId = await buy(person, 20);
    await refund(paymentId, 333);
    const { receipt_number: number } = await getInvoicedReceipt(as(person), paymentId);
    const { filename, bytes } = await getReceiptPdf(as(person), paymentId);
    expect(filename).toBe(`receipt-${number}.pdf`);
    const text = await readPdf(bytes);
    for (const words of [
      ...['TEST – not a receipt', number ?? '?', paymentId, 'Gateway Ltd', 'VAT ID: DE999'],
      ...['Ada & Söhne GmbH', 'Elbchaussee 2', 'VAT ID: DE123456789'],
      ...['$20.00', '$1.10', 'Total paid', '$21.10', 'Refunded', '−$3.33'],
    ])
      expect(text).toContain(words);
    const other = await harness.person();
    await expect(getReceiptPdf(as(other), paymentId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('as PDF names nothing but the customer to a member', async () => {
    const [owner, member] = [await harness.person(), await harness.person()];
    const teamId = await harness.team(owner.userId, 'printers', 1n);
    await harness.runtime.db
      .insert(memberships)
      .values({ accountId: teamId, userId: member.userId, role: 'member' });
    await setDetails(as(owner), { ...DETAILS, billing: 'printers' });
    const { bytes } = await getReceiptPdf(as(member), await buy(owner, 10, 'printers'));
    const text = await readPdf(bytes);
    expect(text).toContain('Ada & Söhne GmbH');
    expect(text).not.toMatch(/Elbchaussee|DE123456789/);
  });

  it('of a closed account names nobody', async () => {
    const person = await harness.person();
    await setDetails(as(person), DETAILS);
    const paymentId = await buy(person);
    await harness.runtime.db.transaction((tx) => forgetDetails(tx, person.accountId));
    const [row] = await harness.runtime.sql`select customer from payments where id = ${paymentId}`;
    expect(row?.customer).toBeNull();
  });
});

describe('the documents of a year', () => {
  const readCsv = async (person: Person, year: number) => {
    const { filename, text } = await writeDocumentsCsv(harness.runtime, as(person).actor, { year });
    const pages: string[] = [];
    for await (const page of text) pages.push(page);
    return { filename, rows: pages.join('').trimEnd().split('\r\n').slice(1) };
  };

  it('are one CSV: receipts, invoices and credit notes dated in it, with the customer of each', async () => {
    const person = await harness.person();
    await setDetails(as(person), { ...DETAILS, address: 'Elbchaussee 2' });
    const [first, second] = [await buy(person, 20), await buy(person)];
    await refund(first, 300);
    const [invoice, note] = await requestInvoice(as(person), first);
    await setDetails(as(person), LATER);
    await harness.runtime.sql`update payments set paid_at = '2020-12-31T23:59:59Z' where id = ${second}`;
    const year = new Date().getUTCFullYear();
    const { filename, rows } = await readCsv(person, year);
    expect(filename).toBe(`receipts-and-invoices-${year}.csv`);
    const party = 'Ada & Söhne GmbH,Elbchaussee 2,DE123456789';
    expect(rows).toEqual([
      expect.stringMatching(
        new RegExp(
          `^receipt,R-\\d{6},.*,${first},.*,${party},20.00,1.10,21.10,3.00,,${invoice?.number} ${note?.number},\\w+,http.*/receipts/${first}/receipt.pdf$`,
        ),
      ),
      expect.stringMatching(new RegExp(`^invoice,${invoice?.number},.*,${party},,,,,21.10,,`)),
      expect.stringMatching(
        new RegExp(`^credit_note,${note?.number},.*,${party},,,,,-3.00,${invoice?.number},`),
      ),
    ]);
    expect((await readCsv(person, 2020)).rows).toEqual([expect.stringContaining(`,${second},`)]);
    expect((await readCsv(person, 2019)).rows).toEqual([]);
  });

  it('are one archive of PDFs with the CSV, which names the same documents', async () => {
    const person = await harness.person();
    await setDetails(as(person), DETAILS);
    const payments = await Promise.all(Array.from({ length: 11 }, () => buy(person)));
    await refund(payments[0] ?? '', 300);
    const documents = await requestInvoice(as(person), payments[0] ?? '');
    // Numbers of another seller begin at 1 again.
    await harness.runtime.sql`
      insert into invoices (id, kind, account_id, payment_id, seller, test, year, sequence, number, mode, total_cents,
        issued_by, issued_at, document)
      select 'invoice_other', kind, account_id, ${payments[1] ?? ''}, 'Other Ltd', test, year, sequence, number, mode,
        total_cents, issued_by, clock_timestamp(), document
      from invoices where id = ${documents[0]?.invoice_id ?? ''}`;
    const year = new Date().getUTCFullYear();
    const { filename, text } = await writeDocumentsZip(harness.runtime, as(person).actor, { year });
    expect(filename).toBe(`receipts-and-invoices-${year}.zip`);
    const parts: Uint8Array[] = [];
    for await (const part of text) parts.push(part);
    const files = readZip(Buffer.concat(parts));
    const names = [...files.keys()];
    expect(names.filter((name) => /^receipts\/receipt-R-\d{6}\.pdf$/.test(name))).toHaveLength(11);
    expect(names.filter((name) => !name.startsWith('receipts/'))).toEqual([
      `invoices/invoice-${documents[0]?.number}.pdf`,
      `invoices/credit-note-${documents[1]?.number}.pdf`,
      `invoices/invoice-${documents[0]?.number} (2).pdf`,
      `receipts-and-invoices-${year}.csv`,
    ]);
    const csv = files.get(`receipts-and-invoices-${year}.csv`)?.toString('utf8') ?? '';
    expect(csv.startsWith('\uFEFFtype,number,')).toBe(true);
    for (const name of names.slice(0, 11)) {
      const [number = '?'] = /R-\d{6}/.exec(name) ?? [];
      expect(csv).toContain(`receipt,${number},`);
      expect(await readPdf(files.get(name) ?? Buffer.alloc(0))).toContain(number);
    }
    const note = files.get(names[12] ?? '') ?? Buffer.alloc(0);
    expect(await readPdf(note)).toContain('$3.00');
  });

  it('are read in pages, and for owners and admins only', async () => {
    const [owner, member] = [await harness.person(), await harness.person()];
    const teamId = await harness.team(owner.userId, 'yearly', 1n);
    const row = { accountId: teamId, userId: member.userId, role: 'member' as const };
    await harness.runtime.db.insert(memberships).values(row);
    const request = { billing: 'yearly', year: 2021 };
    for (const write of [writeDocumentsCsv, writeDocumentsZip])
      await expect(write(harness.runtime, as(member).actor, request)).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
    const paymentId = await buy(owner, 10, 'yearly');
    // 450 payments, of which many at the same time.
    await harness.runtime.sql`
      with made as (
        insert into orders (id, kind, mode, account_id, created_by, credits_microusd, fee_microusd, total_cents, status,
          payment_id, finished_at)
        select o.id || n, o.kind, o.mode, o.account_id, o.created_by, o.credits_microusd, o.fee_microusd, o.total_cents,
          o.status, o.payment_id || n, o.finished_at
        from orders o, generate_series(1, 450) n where o.payment_id = ${paymentId} returning *)
      insert into payments (id, order_id, account_id, mode, total_cents, credits_microusd, fee_microusd, ticket, paid_at)
      select payment_id, id, account_id, mode, total_cents, credits_microusd, fee_microusd, 1, '2021-06-01T00:00:00Z' from made`;
    const { text } = await writeDocumentsCsv(harness.runtime, as(owner).actor, request);
    const pages: string[] = [];
    for await (const page of text) pages.push(page);
    const ids = pages.join('').match(/pi_\w+/g) ?? [];
    expect(new Set(ids).size).toBe(450);
    expect(pages.length).toBe(4);
  });
});

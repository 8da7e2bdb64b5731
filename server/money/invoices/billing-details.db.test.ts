import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { sendEmails } from '../../notifications/email/send-emails';
import type { EmailMessage } from '../../platform/ports/ports';
import { getDetails, setDetails } from './billing-details';
import { detailsInput } from './schema';
import { actAs, DETAILS, payForCredit, readPdf, SELLER } from './testing/invoice-fixture';

const payments = new FakePayments();
const sent: EmailMessage[] = [];
let down = false;
const mail = {
  send: async (message: EmailMessage) => {
    if (down) throw new Error('connect ECONNREFUSED');
    sent.push(message);
  },
};
let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ ports: { payments, mail }, env: SELLER, role: 'command' });
});
afterAll(() => harness.close());

type Person = Awaited<ReturnType<Harness['person']>>;
const as = (person: Person) => actAs(person, harness);
const buy = (person: Person, usd: number) => payForCredit(harness, payments, person, { usd });

/** Sends all waiting emails, also those that wait for their next attempt. */
async function sendDue(): Promise<void> {
  await harness.runtime.sql`update outgoing_emails set due_at = now() where sent_at is null`;
  await sendEmails(harness.runtime, new AbortController().signal);
}

describe('billing details', () => {
  it.each([
    ['vat_id', 'XX123'],
    ['vat_id', 'DE1'],
    ['vat_id', '123456789'],
    ['company_name', 'a'.repeat(201)],
    ['company_name', 'two\nlines'],
    ['address', 'x\n'.repeat(9)],
    ['address', 'right\u202eleft'],
    ['company_name', 'two\u2028lines'],
    ['company_name', '株式会社'],
    ['address', 'Tel Aviv\nתל אביב'],
    ['billing_email', 'nobody'],
  ])('refuse %s %j', (field, value) => {
    const parsed = detailsInput.safeParse({ ...DETAILS, [field]: value });
    expect(parsed.error?.issues[0]?.path).toEqual([field]);
  });

  it('accept letters that invoices can show, also decomposed as some systems paste them', () => {
    for (const text of ['Ångström & Søn A/S', 'Ωμέγα ΑΕ', 'Ёлка ООО', 'L’Été № 5 – «Qualité»'])
      expect(
        detailsInput.parse({ ...DETAILS, company_name: text.normalize('NFD'), address: text }),
      ).toMatchObject({
        company_name: text,
        address: text,
      });
  });

  it('are audited by the names of their fields: the log is never erased, they are', async () => {
    const person = await harness.person();
    await setDetails(as(person), { ...DETAILS, billing_email: 'books@example.test' });
    await setDetails(as(person), { ...DETAILS, billing_email: null });
    const rows = await harness.runtime.sql`
      select details from audit_events where action = 'billing.details' and account_id = ${person.accountId} order by id`;
    expect(rows.map(({ details }) => details)).toEqual([
      { changed: 'company_name, address, vat_id, billing_email' },
      { changed: 'billing_email' },
    ]);
  });

  it('accept a VAT id as people write it', () => {
    expect(detailsInput.parse({ ...DETAILS, vat_id: 'de 123.456-789' }).vat_id).toBe('DE123456789');
    expect(detailsInput.parse({ ...DETAILS, vat_id: '' }).vat_id).toBe('');
  });

  it('send receipts with the invoice to the billing email, at most 20 a day over all accounts @F9', async () => {
    const people = await Promise.all(Array.from({ length: 2 }, () => harness.person()));
    const email = 'accounts@example.test';
    for (const person of people) await setDetails(as(person), { ...DETAILS, billing_email: email });
    await harness.runtime.sql`delete from outgoing_emails`;
    sent.length = 0;
    for (const person of people) for (let i = 0; i < 11; i++) await buy(person, 1);
    await sendDue();
    expect(sent).toHaveLength(20);
    for (const { to, subject, attachments } of sent) {
      expect(to).toBe(email);
      expect(subject).toContain('Receipt for credit');
      expect(attachments?.map(({ filename }) => filename)).toEqual([
        expect.stringMatching(/^receipt-R-\d{6}\.pdf$/),
        expect.stringMatching(/^invoice-TEST-/),
      ]);
    }
    expect(sent[0]?.text).toContain('The receipt and the invoice are attached.');
    for (const { content } of sent[0]?.attachments ?? [])
      expect(await readPdf(content)).toContain('DE123456789');
  });

  it('get their receipts after a mail server that was down all day: retries use up no quota', async () => {
    const person = await harness.person();
    await setDetails(as(person), { ...DETAILS, billing_email: 'patient@example.test' });
    await harness.runtime.sql`delete from outgoing_emails`;
    await buy(person, 1);
    sent.length = 0;
    down = true;
    for (let attempt = 1; attempt <= 9; attempt++) await sendDue();
    down = false;
    await sendDue();
    expect(sent.map(({ to }) => to)).toEqual(['patient@example.test']);
  });

  it('change the billing email ten times a day at most @F9', async () => {
    const person = await harness.person();
    const set = (at: number) => setDetails(as(person), { ...DETAILS, billing_email: `a${at}@example.test` });
    for (let at = 0; at < 10; at++) await set(at);
    await expect(set(10)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    await setDetails(as(person), { ...DETAILS, billing_email: 'a9@example.test', address: 'New' });
    expect(await getDetails(as(person), undefined)).toMatchObject({ address: 'New' });
  });
});

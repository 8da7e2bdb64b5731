import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { readZip } from '@/test/support/read-zip';
import { checkAccessibility } from './support/check-accessibility';
import { callTool, chargeYesterday, createPerson, expect, signIn, test } from './support/fixtures';
import {
  actOnPayment,
  buyCredit,
  expectStatementSum,
  figure,
  saveButton,
  spend,
  visitUntil,
} from './support/purchases';

test('a company finds its calls by day, gets its invoice, and is warned before its limit stops calls', async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const { email, key } = await createPerson('company', 10);
  await chargeYesterday(email, [0.25, 0.5, 0.000001]);
  for (const usd of [0.1, 0.2]) await spend(request, key, usd);
  await signIn(page, email);
  const payment = await buyCredit(page, { amount: '10' });
  await page.goto('/dashboard/billing');

  await test.step('calls are one row a day, which opens to the single calls', async () => {
    const table = page.getByRole('table', { name: /^Statement/ });
    await expect(table.getByRole('row').nth(1)).toContainText('2 calls');
    await expect(table.getByRole('row').nth(1)).toContainText('−$0.30');
    const yesterday = table.getByRole('row').filter({ hasText: '3 calls' });
    await expect(yesterday).toContainText('−$0.750001');
    await expectStatementSum(page, 19_700_000n);
    const rows = await table.getByRole('row').count();
    await yesterday.getByRole('button', { name: '3 calls' }).click();
    await expect(table.getByRole('row')).toHaveCount(rows + 3);
    await expect(table).toContainText('−$0.000001');
  });

  await test.step('an invoice without billing details says so before it is issued', async () => {
    await page.getByRole('button', { name: 'Issue invoice' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('No billing details are saved');
    await dialog.getByRole('link', { name: 'Add billing details' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(page.getByLabel('Company name')).toBeInViewport();
  });

  await test.step('billing details are checked and saved', async () => {
    await page.getByLabel('Company name').fill('Ada & Söhne GmbH');
    await page.getByLabel('Address').fill('Elbchaussee 2\n22765 Hamburg');
    await page.getByLabel('VAT ID').fill('12345');
    const save = saveButton(page, 'VAT ID (optional)');
    await save.click();
    await expect(page.getByText('Must be an EU VAT id such as DE123456789, or empty.')).toBeVisible();
    await page.getByLabel('VAT ID').fill('DE 123 456 789');
    await save.click();
    await expect(page.getByText('Billing details saved')).toBeVisible();
    await expect(page.getByLabel('VAT ID')).toHaveValue('DE123456789');
  });

  await test.step('the receipt, made without details, is completed once and keeps them', async () => {
    await page
      .getByRole('table', { name: /^Receipts/ })
      .getByRole('link')
      .first()
      .click();
    const receipt = page.getByRole('article', { name: /^Receipt R-\d{6}$/ });
    await expect(receipt).toContainText(email);
    await expect(receipt).not.toContainText('Ada & Söhne GmbH');
    await receipt.getByRole('button', { name: 'Add billing details' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText('DE123456789');
    await dialog.getByRole('button', { name: 'Add to receipt' }).click();
    await expect(receipt).toContainText('Ada & Söhne GmbH');
    await expect(receipt.getByRole('button', { name: 'Add billing details' })).toHaveCount(0);
    await page.getByRole('link', { name: 'Billing', exact: true }).last().click();
    await page.getByLabel('Company name').fill('Later Ltd');
    await saveButton(page, 'VAT ID (optional)').click();
    await expect(page.getByText('Billing details saved').last()).toBeVisible();
    await expect(saveButton(page, 'VAT ID (optional)')).toBeDisabled();
    await page.goto(`/dashboard/billing/receipts/${payment}`);
    await expect(receipt).toContainText('Ada & Söhne GmbH');
    await expect(receipt).not.toContainText('Later Ltd');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download PDF' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^receipt-R-\d{6}\.pdf$/);
    const text = await readPdf(await readFile(await file.path()));
    for (const words of [payment, 'Ada & Söhne GmbH', 'DE123456789', '$10.80']) expect(text).toContain(words);
    expect(text).not.toContain('Later Ltd');
    await page.goto('/dashboard/billing');
  });

  await test.step('the invoice is issued once and downloaded as PDF', async () => {
    await page.getByRole('button', { name: 'Issue invoice' }).click();
    const issueDialog = page.getByRole('dialog');
    await expect(issueDialog).toContainText('Ada & Söhne GmbH');
    await expect(issueDialog).toContainText('DE123456789');
    await issueDialog.getByRole('button', { name: 'Issue invoice' }).click();
    const link = page.getByRole('link', { name: /^TEST-\d{4}-\d{6}$/ });
    const number = (await link.textContent()) ?? '';
    const download = page.waitForEvent('download');
    await link.click();
    const text = await readPdf(await readFile(await (await download).path()));
    for (const words of [number.trim(), 'TEST – not an invoice', 'Ada & Söhne GmbH', 'DE123456789', '$10.80'])
      expect(text).toContain(words);
    await page.reload();
    await expect(link).toBeVisible();
    await expect(page.getByRole('button', { name: 'Issue invoice' })).toHaveCount(0);
  });

  await test.step('a refund gets a credit note over its own amount', async () => {
    await actOnPayment(page, payment, 'Refund', '3');
    const issue = page.getByRole('button', { name: 'Issue credit note' });
    await visitUntil(page, '/dashboard/billing', issue);
    await issue.click();
    const dialog = page.getByRole('dialog', { name: 'Issue the credit note for $3.00?' });
    await dialog.getByRole('button', { name: 'Issue credit note' }).click();
    await expect(page.getByRole('link', { name: /^Credit note TEST-\d{4}-\d{6}$/ })).toBeVisible();
  });

  await test.step('all documents of the year are one file, near the top of the page', async () => {
    await page.goto('/dashboard/billing');
    await page.getByRole('link', { name: 'Receipts and invoices', exact: true }).click();
    await expect(page.getByRole('table', { name: /^Receipts/ })).toBeInViewport();
    await expect(page.getByLabel('Year (UTC)')).toHaveValue(String(new Date().getUTCFullYear()));
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Download CSV of the receipts/ }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^receipts-and-invoices-\d{4}\.csv$/);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
    // Addresses have two lines.
    const types = lines.flatMap((line) => /^\uFEFF?(receipt|invoice|credit_note),/.exec(line)?.[1] ?? []);
    expect(types).toEqual(['receipt', 'invoice', 'credit_note']);
    const saving = page.waitForEvent('download');
    await page.getByRole('link', { name: /^Download PDFs \(ZIP\) of the receipts/ }).click();
    const archive = readZip(await readFile(await (await saving).path()));
    const [receipt, invoice, note, csv] = [...archive.keys()];
    expect([receipt, invoice, note]).toEqual([
      expect.stringMatching(/^receipts\/receipt-R-\d{6}\.pdf$/),
      expect.stringMatching(/^invoices\/invoice-TEST-/),
      expect.stringMatching(/^invoices\/credit-note-TEST-/),
    ]);
    expect(csv).toBe(file.suggestedFilename());
    expect(await readPdf(archive.get(note ?? '') ?? Buffer.alloc(0))).toContain('$3.00');
  });

  await test.step('the limit alerts at 50, 80 and 100 %, then refuses paid calls only', async () => {
    await page.getByRole('radio', { name: 'Limit spending' }).check();
    await page.getByLabel('Monthly limit', { exact: true }).fill('1');
    await page.getByLabel('Monthly limit', { exact: true }).press('Enter');
    await expect(page.getByText('Monthly limit saved')).toBeVisible();
    for (const usd of [0.25, 0.3, 0.15]) await spend(request, key, usd);
    expect((await callTool(request, key, 'spend', { amount_usd: 0.01 })).body.error?.code).toBe(
      'SPENDING_LIMIT_EXCEEDED',
    );
    expect((await callTool(request, key, 'echo', { message: 'still free' })).status).toBe(200);
    await expectAlerts(page, email);
    // One row says it, and leads to the field.
    const raise = page.getByRole('link', { name: 'Raise the limit' });
    await expect(async () => {
      await page.goto('/dashboard');
      await expect(page.getByText('Calls exceed the account’s monthly limit')).toBeVisible({
        timeout: 2_000,
      });
    }).toPass();
    await expect(raise).toHaveCount(1);
    await raise.click();
    const field = page.getByLabel('Monthly limit', { exact: true });
    await expect(field).toBeFocused();
    await expect(field).toBeInViewport();
    await page.getByRole('heading', { level: 1 }).click();
    await expect(field).not.toBeFocused();
    await raise.click();
    await expect(field).toBeFocused();
    await expect(figure(page, 'At the limit')).toContainText('Free tools go on working');
    await expect(figure(page, 'Resets').getByRole('time')).toHaveAttribute(
      'datetime',
      /^\d{4}-\d{2}-01T00:00/,
    );
  });
  await checkAccessibility(page, { name: 'billing-company', path: '/dashboard/billing' });
});

async function expectAlerts(page: Page, email: string): Promise<void> {
  await expect(async () => {
    await page.goto('/inbox');
    const mails = page.getByRole('article', { name: `to ${email}` });
    for (const words of [
      '50% of the monthly limit',
      '80% of the monthly limit',
      'The monthly limit is used up',
    ])
      await expect(mails.filter({ hasText: words }).first()).toBeVisible({ timeout: 2_000 });
  }).toPass();
}

async function readPdf(bytes: Buffer): Promise<string> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  return (await extractText(pdf, { mergePages: true })).text;
}

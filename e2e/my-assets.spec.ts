import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import { createPerson, expect, signIn, test } from './support/fixtures';

const SAMPLES = 'server/assets/samples';
const MIB = 1024 * 1024;

/** Simulates dragging a file over the page and dropping it. */
async function drop(page: Page, name: string, content: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle(
    ([filename, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text ?? ''], filename ?? '', { type: 'text/csv' }));
      return data;
    },
    [name, content],
  );
  await page.dispatchEvent('main', 'dragenter', { dataTransfer });
  await expect(page.getByText('Drop to upload')).toBeVisible();
  await page.dispatchEvent('main', 'drop', { dataTransfer });
  await expect(page.getByText('Drop to upload')).toBeHidden();
}

async function openAssets(page: Page, name: string) {
  const person = await createPerson(name, 1);
  await signIn(page, person.email);
  await page.goto('/dashboard/assets');
  return person;
}

test('a dropped file is uploaded, previewed, usable by its id and downloadable', {
  tag: '@journey',
}, async ({ page, request, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { key } = await openAssets(page, 'drop');
  await expect(page.getByText('No files yet')).toBeVisible();
  await drop(page, 'orders.csv', 'item,price\npen,2\nink,7\n');
  await expect(page.getByText('1 of 1 uploaded')).toBeVisible();
  const files = page.getByRole('list', { name: 'Files' });
  await expect(files.getByRole('listitem')).toHaveCount(1);

  await files.getByRole('button', { name: /orders\.csv/ }).click();
  const dialog = page.getByRole('dialog', { name: 'orders.csv' });
  await expect(dialog.getByText('pen,2')).toBeVisible();
  await expect(page).toHaveURL(/asset=asset_/);
  await dialog.getByRole('button', { name: 'Copy id' }).click();
  const assetId = await page.evaluate(() => navigator.clipboard.readText());
  expect(assetId).toMatch(/^asset_/);

  // Tools accept the id as input.
  const call = await request.post('/v1/tools/call', {
    headers: { Authorization: `Bearer ${key}` },
    data: { tool: 'data', skill: 'profile', input: { file: assetId } },
  });
  expect(call.status()).toBe(200);
  expect(await call.text()).toContain('price');
  await expect(dialog.getByRole('link', { name: /Profile/ })).toHaveAttribute(
    'href',
    /playground\?tool=data&skill=profile&input=/,
  );

  const download = page.waitForEvent('download');
  await dialog.getByRole('link', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toBe('orders.csv');

  // A reload opens the file again.
  await page.reload();
  await expect(dialog.getByText('pen,2')).toBeVisible();
});

test('an open file can be deleted, and its id is then unknown', async ({ page, request }) => {
  await openAssets(page, 'delete');
  await drop(page, 'orders.csv', 'item,price\npen,2\nink,7\n');
  await page
    .getByRole('list', { name: 'Files' })
    .getByRole('button', { name: /orders\.csv/ })
    .click();
  await expect(page).toHaveURL(/asset=asset_/);
  const assetId = new URL(page.url()).searchParams.get('asset');
  expect((await request.get(`/v1/assets/${assetId}`)).status()).toBe(200);
  const dialog = page.getByRole('dialog', { name: 'orders.csv' });
  await dialog.getByRole('button', { name: 'Delete' }).click();
  const alert = page.getByRole('alertdialog');
  await expect(alert).toContainText('cannot be undone');
  await alert.getByRole('button', { name: 'Delete file' }).click();
  await expect(page.getByText('No files yet')).toBeVisible();
  await expect(page).not.toHaveURL(/asset=/);
  expect((await request.get(`/v1/assets/${assetId}`)).status()).toBe(404);
});

test('several files upload at once, one too large is rejected before sending, and pasted ones upload too', async ({
  page,
}) => {
  await openAssets(page, 'several');
  const folder = mkdtempSync(join(tmpdir(), 'too-large-'));
  const large = join(folder, 'film.mov');
  writeFileSync(large, '');
  truncateSync(large, 101 * MIB);
  const names = ['logo.png', 'photo.jpg', 'report.pdf'];
  await page
    .getByLabel('Files to upload')
    .first()
    .setInputFiles([large, ...names.map((name) => `${SAMPLES}/${name}`)]);
  await expect(page.getByText('3 of 4 uploaded, 1 failed')).toBeVisible();
  rmSync(folder, { recursive: true });
  await expect(page.getByRole('alert').filter({ hasText: 'too large' })).toContainText('100 MiB');
  await page.getByRole('button', { name: 'Clear finished' }).click();

  const pixel = readFileSync(`${SAMPLES}/logo.png`).toString('base64');
  await page.evaluate((base64) => {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'image.png', { type: 'image/png' }));
    document.body.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, pixel);
  await expect(page.getByText('1 of 1 uploaded')).toBeVisible();
  const files = page.getByRole('list', { name: 'Files' });
  await expect(files.getByRole('listitem')).toHaveCount(4);
  await expect(files.getByRole('button', { name: /^pasted-.*\.png/ })).toBeVisible();

  // Filters are in the URL.
  await page.getByLabel('Kind').selectOption({ label: 'Images (3)' });
  await expect(files.getByRole('listitem')).toHaveCount(3);
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('pho');
  await expect(files.getByRole('listitem')).toHaveCount(1);
  await expect(page).toHaveURL(/kind=image/);
  await page.reload();
  await expect(files.getByRole('listitem')).toHaveCount(1);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(files.getByRole('listitem')).toHaveCount(4);

  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 3 files' }).click();
  await expect(files.getByRole('listitem')).toHaveCount(1);
});

test('the assets pages pass the accessibility checks', async ({ page }) => {
  test.slow();
  await openAssets(page, 'assets-look');
  await checkAccessibility(page, { name: 'assets-empty', path: '/dashboard/assets' });
  await page
    .getByLabel('Files to upload')
    .first()
    .setInputFiles(
      ['logo.png', 'photo.jpg', 'report.pdf', 'sales.csv', 'tone.mp3'].map((name) => `${SAMPLES}/${name}`),
    );
  await expect(page.getByText('5 of 5 uploaded')).toBeVisible();
  const drawn = async () => {
    await expect(page.getByRole('list', { name: 'Files' }).getByRole('listitem')).toHaveCount(5);
    await expect(page.getByRole('main').locator('img').first()).toBeVisible();
  };
  await checkAccessibility(page, {
    name: 'assets-grid',
    path: '/dashboard/assets',
    prepare: async () => {
      await expect(async () => {
        await page.reload();
        await drawn();
        expect(await page.getByRole('main').locator('img').count()).toBe(2);
      }).toPass();
    },
  });
  await checkAccessibility(page, {
    name: 'assets-list-selected',
    path: '/dashboard/assets?view=list',
    prepare: async () => page.getByRole('checkbox', { name: 'Select sales.csv' }).check(),
  });
  await checkAccessibility(page, {
    name: 'assets-preview',
    path: '/dashboard/assets',
    prepare: async () => {
      await page.getByRole('button', { name: /photo\.jpg/ }).click();
      await expect(page.getByRole('dialog').getByRole('img')).toBeVisible();
    },
  });
});

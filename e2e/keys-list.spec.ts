import { callTool, createPerson, expect, signIn, test } from './support/fixtures';
import { buyCredit } from './support/purchases';

test('search, order and filter of the list are kept in the URL', async ({ page, request }) => {
  const { email, key } = await createPerson('list', 3);
  const made: { id: string; name: string }[] = [];
  for (const [name, credits] of [
    ['zulu crawler', 1],
    ['alpha crawler', 0.5],
    ['mike batch', undefined],
  ] as const) {
    const response = await request.post('/v1/keys', {
      headers: { Authorization: `Bearer ${key}` },
      data: { name, credits },
    });
    const body = await response.json();
    made.push(body);
    if (name === 'alpha crawler') await callTool(request, body.secret, 'spend', { amount_usd: 0.5 });
  }
  const gone = await request.delete(`/v1/keys/${made[2]?.id}`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  expect(gone.status()).toBe(200);

  await signIn(page, email);
  await page.goto('/dashboard/keys');
  const names = page.getByRole('table', { name: 'Keys' }).getByRole('link');
  await expect(names).toHaveCount(3);
  await expect(names.first()).toContainText('alpha crawler');
  await expect(page.getByRole('row').filter({ hasText: 'alpha crawler' })).toContainText(
    'Credit limit reached',
  );

  await page.getByRole('searchbox', { name: 'Search keys' }).fill('crawler');
  await expect(names).toHaveCount(2);
  await page.getByRole('button', { name: 'Tightest limit' }).click();
  await expect(page.getByRole('columnheader', { name: 'Tightest limit' })).toHaveAttribute(
    'aria-sort',
    'descending',
  );
  await expect(names.first()).toContainText('alpha crawler');
  await page.getByRole('button', { name: 'Tightest limit' }).click();
  await expect(names.first()).toContainText('zulu crawler');
  await expect(page).toHaveURL('/dashboard/keys?q=crawler&sort=used.asc');
  await page.reload();
  await expect(names.first()).toContainText('zulu crawler');
  await expect(names).toHaveCount(2);

  await page.goto('/dashboard/keys');
  await expect(page.getByRole('row').filter({ hasText: 'alpha crawler' })).toContainText(
    '$0.50$0.50 of $0.50',
  );
  // On a small laptop the table is as wide as its card, also with a stopped key.
  await page.setViewportSize({ width: 1280, height: 720 });
  const excess = await page
    .getByRole('table', { name: 'Keys' })
    .evaluate((table: HTMLElement) => table.offsetWidth - (table.parentElement?.clientWidth ?? 0));
  expect(excess).toBeLessThanOrEqual(0);
  await page.getByRole('radio', { name: 'Stopped (1)' }).check();
  await expect(names).toHaveCount(1);
  await expect(names).toContainText('alpha crawler');
  await page.getByRole('radio', { name: 'Active (2)' }).check();
  await expect(names).toHaveCount(2);
  await page.getByRole('radio', { name: 'All (3)' }).check();
  await page.getByRole('button', { name: 'Status' }).click();
  await expect(names.first()).toContainText('alpha crawler');
  await expect(page).toHaveURL('/dashboard/keys?sort=status.asc');
  await page.getByRole('button', { name: /^Spent/ }).click();
  await expect(names.first()).toContainText('alpha crawler');
  await page.getByRole('radio', { name: '24 h' }).check();
  await expect(page.getByRole('columnheader', { name: 'Spent, 24 hours' })).toBeVisible();
  await expect(page).toHaveURL('/dashboard/keys?sort=spent.desc&period=24h');

  await page.goto('/dashboard/keys?status=revoked');
  await expect(names).toHaveCount(1);
  await expect(names).toContainText('mike batch');
  await page.getByRole('searchbox', { name: 'Search keys' }).fill('crawler');
  await expect(page.getByText('No key for “crawler”')).toBeVisible();
  await page.getByRole('button', { name: 'Show all keys' }).click();
  await expect(names).toHaveCount(3);
});

test('keys of an account at $0 say that there is no credit, until credit arrives', async ({ page }) => {
  const { email } = await createPerson('broke', 0);
  await signIn(page, email);
  await page.goto('/dashboard/keys');
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('No credit');
  await row.getByRole('link').click();
  await expect(page.getByRole('main')).toContainText('StatusNo credit');
  await buyCredit(page, { amount: '5' });
  await page.goto('/dashboard/keys?status=stopped');
  await expect(page.getByText('No stopped keys')).toBeVisible();
  await page.getByRole('radio', { name: 'Active (1)' }).check();
  await expect(row).toContainText('Active');
});

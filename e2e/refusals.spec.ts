import { readFile } from 'node:fs/promises';
import { checkAccessibility } from './support/check-accessibility';
import { createPerson, expect, signIn, test } from './support/fixtures';

const SPEND = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };

test('a key whose spending limit refuses its calls says why, until when and how often', async ({
  page,
  request,
}) => {
  const { email, key: manager } = await createPerson('refused', 5);
  const headers = { Authorization: `Bearer ${manager}` };
  const made = await request.post('/v1/keys', {
    headers,
    data: { name: 'Nightly agent', spend_limit: { amount_usd: 0.3, period: 'day' } },
  });
  const { id, secret } = await made.json();
  const call = async () =>
    (
      await request.post('/v1/tools/call', { headers: { Authorization: `Bearer ${secret}` }, data: SPEND })
    ).status();
  expect([await call(), await call(), await call()]).toEqual([200, 429, 429]);

  await signIn(page, email);
  // Refusals are written about a second after the response.
  await expect(async () => {
    await page.goto(`/dashboard/keys/${id}`);
    await expect(page.getByText('The key has reached its spending limit')).toBeVisible({ timeout: 2_000 });
  }).toPass();
  const main = page.getByRole('main');
  await expect(main).toContainText('2 calls were refused since');
  await expect(main).toContainText('The limit resets');
  await expect(main).toContainText('raise it in the key’s rules');
  await expect(main.getByRole('button', { name: 'Raise the limit' })).toBeVisible();
  await expect(main.getByText('Limit reached')).toBeVisible();
  await checkAccessibility(page, { name: 'key-blocked', path: `/dashboard/keys/${id}` });

  await page.goto('/dashboard/keys');
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row').filter({ hasText: 'Nightly agent' });
  await expect(row).toContainText('Limit reached');
  await expect(row).toContainText('2 refused, until');

  await page.goto('/dashboard');
  await page.getByText('2 calls were refused in the last 24 hours').waitFor();
  await page.getByRole('link', { name: 'See why' }).click();
  await expect(page).toHaveURL(/\/dashboard\/usage\/refused/);
  const codes = page.getByRole('table', { name: 'Refused calls by code' });
  await expect(codes).toContainText('SPENDING_LIMIT_EXCEEDED');
  await expect(codes).toContainText('2');
  const last = page.getByRole('table', { name: 'Last refused calls' });
  await expect(last.getByRole('row')).toHaveCount(3);
  await expect(last).toContainText('Nightly agent');
  await expect(page.getByRole('group', { name: /^Refused calls, last 24 hours/ })).toBeVisible();

  // The page follows by itself, and the file has exactly what is shown.
  expect(await call()).toBe(429);
  await expect(codes.getByRole('cell', { name: '3', exact: true })).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const text = await readFile(await (await saving).path(), 'utf8');
  const rows = text.trimEnd().split('\r\n').slice(1);
  expect(rows.reduce((sum, row) => sum + Number(row.split(',')[1]), 0)).toBe(3);
  expect(text).toContain(`,SPENDING_LIMIT_EXCEEDED,key,diagnostics,${id},Nightly agent,`);
  await checkAccessibility(page, { name: 'usage-refused', path: '/dashboard/usage/refused' });
});

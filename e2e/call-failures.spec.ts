import type { Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import { baseUrl, createPerson, expect, signIn, test } from './support/fixtures';
import { openWithShortcuts } from './support/keyboard';

/** Calls a skill as an agent does. */
async function call(key: string, tool: string, skill: string, input: object) {
  const response = await fetch(`${baseUrl()}/v1/tools/call`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ tool, skill, input }),
  });
  return await response.json();
}

/** Pastes an id into the palette and opens the only result. */
async function openById(page: Page, id: string): Promise<void> {
  await openWithShortcuts(page, '/dashboard/settings');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search or go to' })).toBeFocused();
  await page.keyboard.insertText(id);
  await page.getByRole('option', { name: `Open ` }).filter({ hasText: id }).click();
}

test('a failed call says what its agent was answered, when, and that nothing was charged', async ({
  page,
}) => {
  const { email, key } = await createPerson('why', 5);
  const failed = (await call(key, 'math', 'evaluate', { expression: '2 + * 3' })).error;
  const paid = await call(key, 'diagnostics', 'spend', { amount_usd: 0.25 });
  const broken = (await call(key, 'diagnostics', 'flaky', { mode: 'throw' })).error;
  const refused = (await call(key, 'math', 'evaluate', {})).error;
  expect(failed.call_id).toMatch(/^call_/);
  expect(refused.call_id).toBeUndefined();

  await signIn(page, email);
  await openById(page, failed.call_id);
  const drawer = page.getByRole('dialog');
  await expect(drawer).toContainText('INVALID_INPUT HTTP 400');
  await expect(drawer).toContainText(failed.message);
  await expect(drawer).toContainText('The input is invalid.');
  await expect(drawer).toContainText(failed.request_id);
  const steps = drawer.getByRole('listitem');
  await expect(steps).toHaveText([/^Admitted/, /^Failed.*The tool ran for/, /^Nothing charged/]);
  await checkAccessibility(page, {
    name: 'call-failed',
    path: `/dashboard/usage?call=${failed.call_id}`,
    prepare: (there) => expect(there.getByText('Nothing charged')).toBeVisible(),
  });

  // The next newer calls of the list, in the same drawer.
  await page.goto('/dashboard/usage');
  await page
    .getByRole('table', { name: /^Calls/ })
    .getByRole('button', { name: 'math.evaluate' })
    .click();
  await expect(drawer).toContainText(failed.message);
  await drawer.getByRole('button', { name: 'Newer call (K)' }).click();
  await expect(steps).toHaveText([
    /^Admitted.*It could cost up to \$0\.25\./,
    /^Succeeded/,
    /^Charged \$0\.25.*Ledger entry \d+\./,
  ]);
  await drawer.getByRole('button', { name: 'Newer call (K)' }).click();
  await expect(drawer).toContainText(broken.message);
  await expect(drawer.getByRole('button', { name: 'Newer call (K)' })).toBeDisabled();
  await checkAccessibility(page, {
    name: 'call-succeeded',
    path: `/dashboard/usage?call=${paid.id}`,
    prepare: (there) => expect(there.getByText(/Ledger entry/)).toBeVisible(),
  });

  // By the id of the request: its call, or why it was refused.
  await openById(page, broken.request_id);
  await expect(page.getByRole('table', { name: /^Calls/ }).getByRole('row')).toHaveCount(2);
  await expect(async () => {
    await openById(page, refused.request_id);
    await expect(page.getByText(refused.message)).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(page.getByText('This request was refused before a call ran.')).toBeVisible();
  await checkAccessibility(page, {
    name: 'request-refused',
    path: `/dashboard/usage?request=${refused.request_id}`,
    prepare: (there) => expect(there.getByText(refused.message)).toBeVisible(),
  });
});

test('the drawer goes on to older calls beyond the loaded page', async ({ page }) => {
  const { email, key } = await createPerson('older', 5);
  for (let n = 0; n < 27; n++) await call(key, 'math', 'evaluate', { expression: `${n}+1` });
  await signIn(page, email);
  await page.goto('/dashboard/usage');
  const rows = page.getByRole('table', { name: /^Calls/ }).getByRole('row');
  await expect(rows).toHaveCount(26);
  await rows.nth(25).getByRole('button', { name: 'math.evaluate' }).click();
  const drawer = page.getByRole('dialog');
  for (let n = 0; n < 2; n++) await drawer.getByRole('button', { name: 'Older call (J)' }).click();
  await expect(drawer.getByRole('button', { name: 'Older call (J)' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(rows).toHaveCount(28);
});

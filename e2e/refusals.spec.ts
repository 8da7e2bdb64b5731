import { readFile } from 'node:fs/promises';
import { checkAccessibility } from './support/check-accessibility';
import { createPerson, expect, signIn, signInAsOperator, test } from './support/fixtures';
import { openWithShortcuts } from './support/keyboard';

const SPEND = { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } };

test('a key whose spending limit refuses its calls says why, until when and how often', async ({
  page,
  newPage,
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
    await expect(page.getByText('Calls exceed the key’s spending limit').first()).toBeVisible({
      timeout: 2_000,
    });
  }).toPass();
  const main = page.getByRole('main');
  await expect(main).toContainText('2 calls were refused since');
  await expect(main).toContainText('The limit resets');
  await expect(main).toContainText('raise it in the key’s rules');
  await expect(main.getByRole('button', { name: 'Raise the limit' })).toBeVisible();
  await expect(main.getByText('Limit reached')).toBeVisible();
  await checkAccessibility(page, { name: 'key-blocked', path: `/dashboard/keys/${id}` });

  await openWithShortcuts(page, '/dashboard/keys');
  const row = page.getByRole('table', { name: 'Keys' }).getByRole('row').filter({ hasText: 'Nightly agent' });
  await expect(row).toContainText('Limit reached');
  await expect(row).toContainText('2 refused, until');
  // The palette and the operator say the same.
  await page.keyboard.press('ControlOrMeta+k');
  await page.getByRole('dialog').getByRole('combobox').fill('Nightly');
  await expect(page.getByRole('option', { name: /Nightly agent/ })).toContainText('limit reached');
  await page.keyboard.press('Escape');
  const operator = await newPage();
  await signInAsOperator(operator);
  await operator.goto('/operator/accounts');
  await operator.getByRole('searchbox', { name: 'Search accounts' }).fill(email);
  await operator.getByRole('link', { name: email }).click();
  const seen = operator.getByRole('row').filter({ hasText: 'Nightly agent' }).first();
  await expect(seen).toContainText('Limit reached');
  // On a phone the reason leaves the name its width: words stay words.
  await page.setViewportSize({ width: 390, height: 844 });
  const title = await row.getByRole('link', { name: 'Nightly agent' }).boundingBox();
  expect(title?.width).toBeGreaterThan(100);

  await page.goto('/dashboard');
  const attention = page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem');
  await expect(attention).toHaveCount(1);
  await expect(attention).toContainText('Calls exceed the key’s spending limit');
  await expect(attention).toContainText(
    /Key Nightly agent: refused now, until .* UTC\. 2 calls refused since/,
  );
  await expect(attention.getByRole('link', { name: 'Raise the limit' })).toBeVisible();
  await page.getByRole('link', { name: 'All refused calls' }).click();
  await expect(page).toHaveURL(/\/dashboard\/usage\/refused/);
  const reasons = page.getByRole('table', { name: 'Refused calls by key and reason' });
  const reason = reasons.getByRole('row').filter({ hasText: 'SPENDING_LIMIT_EXCEEDED' });
  await expect(reason).toContainText('Calls exceed the key’s spending limit');
  await expect(reason).toContainText('limit: key');
  await expect(reason).toContainText('Refuses now, until');
  await expect(reason.getByRole('link', { name: 'Nightly agent' })).toHaveAttribute(
    'href',
    `/dashboard/keys/${id}`,
  );
  await expect(reason.getByRole('cell', { name: '2 refused' })).toBeVisible();
  // The row opens its requests.
  await reason.getByRole('button', { name: 'Calls exceed the key’s spending limit' }).click();
  const requests = page.getByRole('list', { name: 'Last refused requests' }).getByRole('listitem');
  await expect(requests).toHaveCount(2);
  await expect(requests.first()).toContainText(/diagnostics\.spend.*req_.*from 127\.0\.0\.1/);
  await expect(page.getByRole('group', { name: /^Refused calls, last 24 hours/ })).toBeVisible();

  // The page follows by itself, and the file has exactly what is shown.
  expect(await call()).toBe(429);
  await expect(reason.getByRole('cell', { name: '3 refused' })).toBeVisible();
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download CSV' }).click();
  const text = await readFile(await (await saving).path(), 'utf8');
  const rows = text.trimEnd().split('\r\n').slice(1);
  expect(rows.reduce((sum, row) => sum + Number(row.split(',')[1]), 0)).toBe(3);
  expect(text).toContain(`,SPENDING_LIMIT_EXCEEDED,key,diagnostics,${id},Nightly agent,`);
  await checkAccessibility(page, {
    name: 'usage-refused',
    path: '/dashboard/usage/refused',
    async prepare(there) {
      await there.getByRole('button', { name: 'Calls exceed the key’s spending limit' }).click();
    },
  });

  // The remedy is one click away, in the row.
  await page.getByRole('link', { name: 'Raise the limit' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Spending limit').fill('1');
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(dialog).toBeHidden();
  expect(await call()).toBe(200);
  await page.goto('/dashboard/usage/refused');
  await expect(reason).toBeVisible();
  await expect(reason).not.toContainText('Refuses now');
  await expect(reason).toContainText(/Repaired .*\d\d:\d\d/);
  await expect(reason.getByRole('link', { name: 'Raise the limit' })).toHaveCount(0);

  // What is repaired needs no attention; the key's page still has its history.
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Recent calls' })).toBeVisible();
  await expect(attention).toHaveCount(0);
  await page.goto(`/dashboard/keys/${id}`);
  await expect(page.getByText('Refuses calls')).toBeHidden();
  const history = page.getByRole('table', { name: 'Refused calls by reason' });
  await expect(history.getByRole('row')).toHaveCount(2);
  await expect(history.getByRole('cell', { name: '3 refused' })).toBeVisible();
  await page.getByRole('link', { name: 'All refused calls of this key' }).click();
  await expect(page).toHaveURL(`/dashboard/usage/refused?key=${id}`);
  await expect(reason.getByRole('cell', { name: '3 refused' })).toBeVisible();
});

test('invalid input is separate from blocked keys on the overview, and goes when it is corrected', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('refused-input', 0);
  const send = async (data: object) =>
    (await request.post('/v1/tools/call', { headers: { Authorization: `Bearer ${key}` }, data })).status();
  const math = { tool: 'math', skill: 'evaluate' };
  expect(await send({ ...math, input: {} })).toBe(400);
  expect(await send(SPEND)).toBe(402);
  await signIn(page, email);
  const attention = page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem');
  await expect(async () => {
    await page.goto('/dashboard');
    await expect(attention).toHaveCount(2, { timeout: 2_000 });
  }).toPass();
  await expect(attention.first()).toContainText('The account does not have enough credit');
  await expect(attention.first().getByRole('link', { name: 'Buy credit' })).toBeVisible();
  await expect(attention.last()).toContainText('The input was invalid');
  await expect(attention.last()).toContainText('tool math.evaluate: 1 call refused in the last 24 hours');
  await expect(attention.last()).toContainText('expression');
  await checkAccessibility(page, { name: 'overview-attention', path: '/dashboard' });
  await attention.last().getByRole('link', { name: 'See what was wrong' }).click();
  await expect(page).toHaveURL(/refused\?key=key_.*&error=INVALID_INPUT&period=24h$/);
  await expect(page.getByRole('list', { name: 'Last refused requests' })).toContainText('expression');
  expect(await send({ ...math, input: { expression: '1+1' } })).toBe(200);
  await page.goto('/dashboard');
  await expect(attention.filter({ hasText: 'The input was invalid' })).toHaveCount(0);
});

test('a tool that a key may not call is named, marked in its rules, and gone once it is allowed', async ({
  page,
  request,
}) => {
  const { email, key: manager } = await createPerson('refused-tool', 1);
  const made = await request.post('/v1/keys', {
    headers: { Authorization: `Bearer ${manager}` },
    data: { name: 'Chart agent', allowed_tools: ['diagnostics'] },
  });
  const { id, secret } = await made.json();
  const send = async (data: object) =>
    (await request.post('/v1/tools/call', { headers: { Authorization: `Bearer ${secret}` }, data })).status();
  const math = { tool: 'math', skill: 'evaluate', input: { expression: '1+1' } };
  expect(await send(math)).toBe(403);
  await signIn(page, email);
  const attention = page.getByRole('list', { name: 'Needs attention' }).getByRole('listitem');
  await expect(async () => {
    await page.goto('/dashboard');
    await expect(attention).toHaveCount(1, { timeout: 2_000 });
  }).toPass();
  await expect(attention).toContainText('Key Chart agent, tool math.evaluate: 1 call refused');
  // Another rule repairs nothing.
  await request.patch(`/v1/keys/${id}`, {
    headers: { Authorization: `Bearer ${manager}` },
    data: { allowed_tools: ['diagnostics'], spend_limit: { amount_usd: 0.4, period: 'day' } },
  });
  await page.goto('/dashboard');
  await expect(attention).toHaveCount(1);
  await attention.getByRole('link', { name: 'Edit the tools' }).click();
  const dialog = page.getByRole('dialog');
  const refused = dialog.getByRole('checkbox', { name: 'math.evaluate' }).first();
  await expect(dialog).toContainText('Asked for, not allowed');
  await expect(refused).toBeFocused();
  await expect(dialog.getByLabel('Spending limit')).toHaveValue('$0.40');
  await checkAccessibility(page, {
    name: 'key-rules-refused-tool',
    path: `/dashboard/keys/${id}?rules=allowed_tools:math.evaluate`,
  });
  await page.goto(`/dashboard/keys/${id}?rules=allowed_tools:math.evaluate`);
  // Read before the change, below the dialog.
  const history = page.getByRole('table', { name: 'Refused calls by reason', includeHidden: true });
  await expect(history.getByRole('link', { name: 'Edit the tools', includeHidden: true })).toBeVisible();
  await refused.check();
  await dialog.getByRole('button', { name: 'Save rules' }).click();
  await expect(dialog).toBeHidden();
  // The page follows its own change, without a reload.
  await expect(history).toContainText(/Repaired .*\d\d:\d\d/);
  await expect(history.getByRole('link', { name: 'Edit the tools' })).toHaveCount(0);
  expect(await send(math)).toBe(200);
  await page.goto('/dashboard/usage/refused');
  await expect(page.getByRole('table', { name: 'Refused calls by key and reason' })).toContainText(
    'Repaired',
  );
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: 'Recent calls' })).toBeVisible();
  await expect(attention).toHaveCount(0);
});

test('many reasons are a bounded list on a phone, and whole words on a desktop', async ({
  page,
  request,
}) => {
  test.setTimeout(120_000);
  const { email, key: manager } = await createPerson('refused-many', 1);
  const send = (secret: string, data: object) =>
    request.post('/v1/tools/call', { headers: { Authorization: `Bearer ${secret}` }, data });
  for (const name of [
    'Nightly invoice reconciliation',
    'support',
    'crawler-of-the-marketing-department',
    'a',
    'b',
  ]) {
    const headers = { Authorization: `Bearer ${manager}` };
    const made = await request.post('/v1/keys', {
      headers,
      data: { name, allowed_tools: ['diagnostics'], spend_limit: { amount_usd: 0.01, period: 'day' } },
    });
    const { secret } = await made.json();
    expect((await send(secret, SPEND)).status()).toBe(429);
    expect(
      (await send(secret, { tool: 'math', skill: 'evaluate', input: { expression: '1' } })).status(),
    ).toBe(403);
    expect((await send(secret, { ...SPEND, input: {} })).status()).toBe(400);
    for (let n = 0; n < 20; n++) await send(secret, { ...SPEND, skill: 'nothing' });
  }
  await signIn(page, email);
  const table = page.getByRole('table', { name: 'Refused calls by key and reason' });
  await expect(async () => {
    await page.goto('/dashboard/usage/refused');
    await expect(page.getByRole('button', { name: 'Show all 20' })).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(table.getByRole('row')).toHaveCount(9);
  // The newest reason first.
  await expect(table.getByRole('row').nth(1)).toContainText('SKILL_NOT_FOUND');
  await checkAccessibility(page, { name: 'usage-refused-many', path: '/dashboard/usage/refused' });
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3_000);
});

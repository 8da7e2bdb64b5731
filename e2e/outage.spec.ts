import type { Page } from 'playwright/test';
import { createPerson, expect, signIn, test } from './support/fixtures';
import { untilHydrated } from './support/hydration';

const CHUNKS = '**/_next/static/chunks/**';

/** Opens the keys with the scripts that the page fetches itself. */
async function openKeys(page: Page) {
  const { email } = await createPerson('outage', 2);
  await signIn(page, email);
  await page.goto('/dashboard/keys');
  await expect(page.getByRole('button', { name: 'Create key' })).toBeEnabled();
}

test('a dialog whose script cannot be fetched leaves the page as it is and opens with the next try', async ({
  page,
}) => {
  await openKeys(page);
  await page.route(CHUNKS, (route) => route.abort('connectionrefused'));
  await page.getByRole('button', { name: 'Create key' }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'The gateway did not respond' });
  await expect(problem).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await problem.getByRole('button', { name: 'Try again' }).click();
  await expect(problem).toBeVisible();

  await page.unroute(CHUNKS);
  await problem.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeVisible();
  await expect(problem).toBeHidden();
});

test('a call whose drawer cannot be fetched leaves the usage page as it is and opens with the next try', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('outage-call', 2);
  const call = { tool: 'text', skill: 'stats', input: { text: 'one' } };
  await request.post('/v1/tools/call', { headers: { Authorization: `Bearer ${key}` }, data: call });
  await signIn(page, email);
  await page.goto('/dashboard/usage');
  const row = page.getByRole('table', { name: 'Calls' }).getByRole('row').nth(1);
  await expect(row).toBeVisible();
  await page.route(CHUNKS, (route) => route.abort('connectionrefused'));
  await row.click();
  const problem = page.getByRole('alert').filter({ hasText: 'The gateway did not respond' });
  await expect(problem).toBeVisible();
  await page.getByRole('radio', { name: 'Table' }).check();
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();

  await page.unroute(CHUNKS);
  await problem.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog').getByText('What happened')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('table', { name: /^(Spend|Calls), / })).toBeVisible();
  await expect(problem).toBeHidden();
});

test('a page whose scripts are gone after an upgrade reloads once, then asks', async ({ page }) => {
  await openKeys(page);
  let loads = 0;
  // Before the new page asks for its scripts.
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1;
  });
  const gone = new Set<string>();
  await page.route(CHUNKS, (route) => {
    if (loads === 0) gone.add(route.request().url());
    return gone.has(route.request().url()) ? route.fulfill({ status: 404 }) : route.continue();
  });
  await page.getByRole('button', { name: 'Create key' }).click();
  await expect.poll(() => loads).toBe(1);
  await untilHydrated(page);
  // The new page asks for the same scripts here: it does not reload again.
  await page.getByRole('button', { name: 'Create key' }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'This could not be opened' });
  await expect(problem).toBeVisible();
  expect(loads).toBe(1);

  gone.clear();
  await problem.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeVisible();
});

test('an open page says that it may be out of date while the gateway does not respond, and follows again', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('outage-live', 2);
  const call = { tool: 'text', skill: 'stats', input: { text: 'one' } };
  const headers = { Authorization: `Bearer ${key}` };
  await request.post('/v1/tools/call', { headers, data: call });
  await signIn(page, email);
  // The database is gone: neither the stream nor a procedure answers.
  await page.route(/\/api\/(live|trpc)/, (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto('/dashboard/usage');
  await untilHydrated(page);
  const lost = page.getByRole('status').filter({ hasText: 'may be out of date' });
  await expect(lost).toBeVisible({ timeout: 30_000 });
  await page.getByRole('radio', { name: '7 d' }).click();
  const problem = page.getByRole('alert').filter({ hasText: 'could not be loaded' }).first();
  await expect(problem).toBeVisible({ timeout: 30_000 });
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();

  await page.unroute(/\/api\/(live|trpc)/);
  await problem.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('group', { name: /^(Spend|Calls), last 7 days/ })).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(lost).toBeHidden({ timeout: 90_000 });
});

import { expect, test } from './support/fixtures';

test('search finds a tool by its purpose, and the URL keeps the search', async ({ page }) => {
  await page.goto('/tools');
  await expect(page.getByRole('article').nth(3)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('convert miles to kilometers');
  await expect(page.getByRole('status')).toContainText('best first');
  await expect(page.getByRole('article').first()).toContainText('Math');
  await page.reload();
  await expect(page.getByRole('searchbox', { name: 'Search tools' })).toHaveValue(
    'convert miles to kilometers',
  );
  await expect(page.getByRole('article').first()).toContainText('Math');
});

test('an empty search result links back to all tools', async ({ page }) => {
  await page.goto('/tools?q=zzqxjwvk');
  await expect(page.getByText(/No tools found/)).toBeVisible();
  await page.getByRole('button', { name: 'Show all tools' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('a category shows only its own tools', async ({ page }) => {
  await page.goto('/tools');
  await expect(page.getByRole('article').first()).toBeVisible();
  const all = await page.getByRole('article').count();
  const category = page.getByRole('group', { name: 'Category' }).getByRole('radio').nth(1);
  const name = await category.getAttribute('value');
  await category.check();
  await expect(page.getByRole('status')).toContainText(`in ${name}`);
  await expect.poll(() => page.getByRole('article').count()).toBeLessThan(all);
  await expect(page).toHaveURL(`/tools?category=${name}`);
});

test('a tool’s page shows its skills, prices and examples', async ({ page }) => {
  await page.goto('/tools');
  await page.getByRole('link', { name: 'Diagnostics' }).click();
  await expect(page.getByRole('heading', { name: 'Diagnostics', level: 1 })).toBeVisible();
  const skills = page.getByRole('navigation', { name: 'Skills' });
  for (const skill of ['echo', 'sleep', 'spend', 'flaky'])
    await expect(skills.getByRole('link', { name: skill })).toBeVisible();
  await expect(skills.getByRole('link', { name: 'flaky' })).toContainText('$0.001');
  await expect(page.getByText('"tool":"diagnostics"').first()).toBeVisible();
});

test('an unknown tool is a 404 with a link to continue', async ({ page }) => {
  const response = await page.goto('/tools/no-such-tool');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('link', { name: 'See all tools' })).toBeVisible();
});

test('the order of the tools is kept in the URL, and an empty search result suggests searches', async ({
  page,
}) => {
  await page.goto('/tools');
  const cards = page.getByRole('article');
  await expect(cards.nth(3)).toBeVisible();
  await page.getByLabel('Sort by').selectOption('price');
  await expect(cards.first()).toContainText('Free');
  await expect(page).toHaveURL('/tools?sort=price');
  // The server renders the same order.
  const html = await (await page.request.get('/tools?sort=price')).text();
  const first = await cards.first().getByRole('link').textContent();
  expect(/<article.*?<a[^>]*>([^<]+)/.exec(html)?.[1]).toBe(first);

  await page.goto('/tools?q=zzqxjwvk');
  await page
    .getByRole('list', { name: 'Searches to try' })
    .getByRole('button', { name: 'convert miles to km' })
    .click();
  await expect(cards.first()).toContainText('Math');
  await expect(page).toHaveURL('/tools?q=convert+miles+to+km');
});

test('the home page shows what a dollar buys and the instructions for an agent', async ({
  page,
  context,
  baseURL,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/');
  await expect(page.getByText('web pages read as text')).toBeVisible();
  await page.getByRole('button', { name: 'Copy the instructions for an agent' }).click();
  const instructions = await page.evaluate(() => navigator.clipboard.readText());
  expect(instructions).toContain(`${baseURL}/openapi.json`);
  expect(instructions).toContain('POST /v1/auth/provision');
});

import { checkAccessibility } from './support/check-accessibility';
import { expect, test } from './support/fixtures';

test('search finds a tool by its purpose, and the URL keeps the search', async ({ page }) => {
  await page.goto('/tools');
  await expect(page.getByRole('article').nth(3)).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search tools' }).fill('convert miles to kilometers');
  await expect(page.getByRole('status')).toContainText('for “convert miles to kilometers”');
  await expect(page.getByRole('article').first()).toContainText('Math');
  // The categories have no counts: those of the whole catalogue would not match the search.
  await expect(page.getByRole('radio', { name: 'All', exact: true })).toBeVisible();
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
  await expect(skills.getByRole('link', { name: 'spend' })).toContainText('From $0.000001 per call');
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
  await page.getByLabel('Sort by').selectOption('name');
  await expect(page).toHaveURL('/tools?sort=name');
  const names = await cards.getByRole('heading').allTextContents();
  expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, 'en')));
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

test('the price list has every paid skill at the price that a dry run returns', async ({ page, request }) => {
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Pricing' })).toBeVisible();
  const { tools } = await (await request.get('/v1/tools?limit=500')).json();
  const shown = tools.filter((tool: { categories: string[] }) => !tool.categories.includes('testing'));
  const skills = shown.flatMap((tool: { skills: unknown[] }) => tool.skills);
  const prices = page.getByRole('table', { name: 'Price of each skill' });
  await expect(prices.getByRole('row')).toHaveCount(skills.length + 1);
  const paid = skills.find((skill: { pricing: { free: boolean } }) => !skill.pricing.free);
  await expect(prices.getByRole('row').filter({ hasText: paid.displayName }).first()).toContainText(
    `$${paid.pricing.price_usd}`,
  );
  // Each tool is linked once: a link out of sight would take the focus without showing it.
  await expect(prices.getByRole('link')).toHaveCount(shown.length);
  // The total of a purchase is its credit and its fee.
  const row = page.getByRole('table', { name: 'What purchases cost' }).getByRole('row').nth(2);
  const texts = [
    await row.getByRole('rowheader').textContent(),
    ...(await row.getByRole('cell').allInnerTexts()),
  ];
  const [credit, fee, total] = texts.map((text) => Number(/[\d.]+/.exec(text ?? '')?.[0]));
  expect(total).toBeCloseTo((credit ?? 0) + (fee ?? 0), 6);
  await checkAccessibility(page, { name: 'pricing', path: '/pricing', part: 'main' });
});

test('each compared product has a page, with a source for every statement about it', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Compare' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Compare' })).toBeVisible();
  await checkAccessibility(page, { name: 'compare', path: '/compare' });
  await page.getByRole('main').getByRole('link', { name: 'OpenRouter' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Tool Gateway and OpenRouter' })).toBeVisible();
  const rows = page
    .getByRole('table', { name: 'Features of Tool Gateway and OpenRouter' })
    .locator('tbody tr');
  const count = await rows.count();
  expect(count).toBeGreaterThan(15);
  const sources = rows.locator('td:nth-child(3)').filter({ has: page.locator('a[href^="https://"]') });
  await expect(sources).toHaveCount(count);
  await expect(page.getByRole('heading', { name: 'Where OpenRouter is ahead' })).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Read on \d{1,2} \w+ 20\d\d$/ })).toBeVisible();
  await checkAccessibility(page, { name: 'compare-openrouter', path: '/compare/openrouter' });
  expect((await page.goto('/compare/no-such-product'))?.status()).toBe(404);
});

test('a tool without a key of its provider says what the caller can do', async ({ page }) => {
  await page.goto('/tools?q=search+the+web');
  const link = page.getByRole('link', { name: 'Web search', exact: true });
  const card = page.getByRole('article').filter({ has: link });
  await expect(card).toContainText('Needs your key');
  await page.goto('/tools/web-search');
  await expect(page.getByText('This tool needs your own provider key')).toBeVisible();
  await expect(page.getByText(/^This gateway has no key of Tavily/)).toBeVisible();
});

import { sql } from 'drizzle-orm';
import { checkAccessibility } from './support/check-accessibility';
import { database } from './support/database';
import {
  callTool,
  createPerson,
  expect,
  followLink,
  provision,
  requestSignInLink,
  signIn,
  test,
} from './support/fixtures';

test('a used tool is rated with the keyboard, shown as verified on its page, edited, deleted and restored', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('rater', 1);
  expect((await callTool(request, key, 'echo', { message: 'x' })).status).toBe(200);
  await signIn(page, email);
  await page.goto('/dashboard/reviews');
  const open = page.getByRole('list', { name: 'Not rated yet' }).getByRole('listitem');
  await expect(open).toHaveCount(1);
  await expect(open).toContainText('1 call');

  const words = `Exact, says ${email}`;
  await open.getByRole('radio', { name: /^1 star:/ }).focus();
  await page.keyboard.press('Space');
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight');
  await expect(open.getByRole('radio', { name: /^4 stars/ })).toBeChecked();
  await page.keyboard.press('Tab');
  await page.keyboard.type(words);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  const mine = page.getByRole('list', { name: 'Your reviews' }).getByRole('listitem');
  await expect(mine).toContainText(words);
  await expect(mine).toContainText('Verified');
  await expect(open).toHaveCount(0);
  // The list updates optimistically; the toast appears once the gateway has stored it.
  await expect(page.getByText('Diagnostics rated')).toBeVisible();

  // Server-rendered, for clients that do not run scripts.
  const served = await (await request.get('/tools/diagnostics')).text();
  expect(served).toContain(words);
  await page.goto('/tools/diagnostics');
  const shown = page.getByRole('listitem').filter({ hasText: words });
  await expect(shown).toContainText('4 of 5 stars');
  await expect(shown).toContainText('Verified');

  await page.goto('/dashboard/reviews');
  await mine.getByRole('button', { name: /^Edit/ }).click();
  await expect(mine.getByRole('radio', { name: /^4 stars/ })).toBeFocused();
  await mine.getByRole('radio', { name: /^2 stars/ }).check();
  await mine.getByRole('button', { name: 'Save changes' }).click();
  await expect(mine).toContainText('2 of 5 stars');

  await mine.getByRole('button', { name: /^Delete/ }).click();
  await expect(mine).toHaveCount(0);
  await expect(open).toHaveCount(1);
  const said = page.getByRole('listitem').filter({ hasText: 'deleted' });
  const kept = page.waitForResponse(/reviews\.post/);
  await said.getByRole('button', { name: 'Undo' }).click();
  await expect(mine).toContainText('2 of 5 stars');
  expect((await kept).status()).toBe(200);
  await page.reload();
  await expect(mine).toContainText(words);
});

test('a review deleted while it is being posted stays deleted, and can be restored for a while', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('hasty', 1);
  await callTool(request, key, 'echo', { message: 'x' });
  await signIn(page, email);
  await page.clock.install();
  await page.goto('/dashboard/reviews');
  let post = () => {};
  const held = new Promise<void>((done) => {
    post = done;
  });
  const acts: string[] = [];
  await page.route(/reviews\.(post|remove)/, async (route) => {
    const removes = route.request().url().includes('remove');
    if (!removes) await held;
    const response = await route.fetch();
    acts.push(removes ? 'remove' : 'post');
    await route.fulfill({ response });
  });

  const open = page.getByRole('list', { name: 'Not rated yet' }).getByRole('listitem');
  const mine = page.getByRole('list', { name: 'Your reviews' }).getByRole('listitem');
  await open.getByRole('radio', { name: /^2 stars/ }).check();
  await open.getByRole('button', { name: 'Post review' }).click();
  await expect(mine).toContainText('2 of 5 stars');
  await mine.getByRole('button', { name: /^Delete/ }).click();
  await expect(mine).toHaveCount(0);
  post();
  const said = page.getByRole('listitem').filter({ hasText: 'deleted' });
  await expect(said.getByRole('button', { name: 'Undo' })).toBeVisible();
  expect(acts).toEqual(['post', 'remove']);
  await expect(mine).toHaveCount(0);
  await page.clock.runFor(8_000);
  await expect(said.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.reload();
  await expect(open).toHaveCount(1);
  await expect(mine).toHaveCount(0);
});

test('writing a review from a tool’s page returns to it after signing in', async ({ page }) => {
  const { email } = await createPerson('comes-back', 0);
  await page.goto('/tools/text');
  await page.getByRole('link', { name: 'Write a review' }).click();
  await requestSignInLink(page, email);
  await followLink(page, email);
  await expect(page).toHaveURL(/\/dashboard\/reviews\?tool=text$/);
  const open = page.getByRole('list', { name: 'Not rated yet' }).getByRole('listitem');
  await expect(open.getByRole('radio').first()).toBeFocused();
  await open.getByRole('radio', { name: /^5 stars/ }).check();
  await open.getByRole('button', { name: 'Post review' }).click();
  const mine = page.getByRole('list', { name: 'Your reviews' }).getByRole('listitem');
  await expect(mine).toContainText('5 of 5 stars');
  await expect(mine).not.toContainText('Verified');
});

test('the reviews of a tool load page by page in the chosen order', async ({ page, request }) => {
  await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const { key } = await provision(request);
      const posted = await request.post('/v1/reviews', {
        headers: { Authorization: `Bearer ${key}` },
        data: { tool: 'math', rating: (index % 5) + 1, review: `Review ${index}` },
      });
      expect(posted.status()).toBe(200);
    }),
  );
  // Reviews may be equal in all fields that the page receives.
  await database().execute(
    sql`update reviews set created_at = now(), updated_at = now() where tool = 'math' and review like 'Review %'`,
  );
  await page.goto('/tools/math');
  const reviews = page.getByRole('region', { name: 'Reviews' });
  const items = reviews.getByRole('listitem');
  await expect(items).toHaveCount(10);
  await reviews.getByRole('button', { name: 'Load more' }).click();
  await expect(items).toHaveCount(12);
  // The later choice wins, whichever response arrives first.
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  const lowest = /reviews\.ofTool.*lowest/;
  await page.route(lowest, async (route) => {
    await held;
    await route.continue();
  });
  const order = reviews.getByLabel('Sort by');
  await order.selectOption('Lowest first');
  await order.selectOption('Highest first');
  await expect(items.first()).toContainText('5 of 5 stars');
  const late = page.waitForResponse(lowest);
  answer();
  await (await late).finished();
  await expect(order).toHaveValue('highest');
  await expect(items.first()).toContainText('5 of 5 stars');
  await order.selectOption('Lowest first');
  await expect(items.first()).toContainText('1 of 5 stars');
  await expect(items).toHaveCount(10);
  // None of the reviewers has called the tool.
  await expect(items.filter({ hasText: 'Verified' })).toHaveCount(0);
  await checkAccessibility(page, { name: 'tool-reviews', path: '/tools/math#reviews' });
});

test('the reviews page passes the accessibility checks', async ({ page, request }) => {
  test.slow();
  const { email, key } = await createPerson('reviews-look', 1);
  await signIn(page, email);
  await checkAccessibility(page, { name: 'reviews-empty', path: '/dashboard/reviews' });
  await callTool(request, key, 'echo', { message: 'x' });
  const posted = await request.post('/v1/reviews', {
    headers: { Authorization: `Bearer ${key}` },
    data: { tool: 'text', rating: 4, review: 'Exact and fast.\nSays what it did.' },
  });
  expect(posted.status()).toBe(200);
  await checkAccessibility(page, {
    name: 'reviews',
    path: '/dashboard/reviews',
    prepare: async () => {
      await page.getByRole('radio', { name: /^5 stars/ }).check();
      await expect(page.getByRole('button', { name: 'Post review' })).toBeVisible();
    },
  });
});

import {
  askForLink,
  callTool,
  createPerson,
  expect,
  followLink,
  provision,
  signIn,
  test,
} from './support/fixtures';
import { lookAt } from './support/look';

test('a tool that was used is rated with the keyboard, and seen on its page with a mark; edited, deleted, brought back', async ({
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

  // In the page as it is served: for those who read no scripts.
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
  await said.getByRole('button', { name: 'Undo' }).click();
  await expect(mine).toContainText('2 of 5 stars');
  await page.reload();
  await expect(mine).toContainText(words);
});

test('whoever wants to review from a tool’s page signs in and comes back to it', async ({ page }) => {
  const { email } = await createPerson('comes-back', 0);
  await page.goto('/tools/text');
  await page.getByRole('link', { name: 'Write a review' }).click();
  await askForLink(page, email);
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

test('the reviews of a tool come in the order one likes, page by page', async ({ page, request }) => {
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
  await page.goto('/tools/math');
  const reviews = page.getByRole('region', { name: 'Reviews' });
  const items = reviews.getByRole('listitem');
  await expect(items).toHaveCount(10);
  await reviews.getByRole('button', { name: 'Load more' }).click();
  await expect(items).toHaveCount(12);
  await reviews.getByLabel('Order').selectOption('Lowest first');
  await expect(items.first()).toContainText('1 of 5 stars');
  await reviews.getByLabel('Order').selectOption('Highest first');
  await expect(items.first()).toContainText('5 of 5 stars');
  // Nobody of them has called it.
  await expect(items.filter({ hasText: 'Verified' })).toHaveCount(0);
  await lookAt(page, { name: 'tool-reviews', path: '/tools/math#reviews' });
});

test('reviews look right in all variants', async ({ page, request }) => {
  test.slow();
  const { email, key } = await createPerson('reviews-look', 1);
  await signIn(page, email);
  await lookAt(page, { name: 'reviews-empty', path: '/dashboard/reviews' });
  await callTool(request, key, 'echo', { message: 'x' });
  const posted = await request.post('/v1/reviews', {
    headers: { Authorization: `Bearer ${key}` },
    data: { tool: 'text', rating: 4, review: 'Exact and fast.\nSays what it did.' },
  });
  expect(posted.status()).toBe(200);
  await lookAt(page, {
    name: 'reviews',
    path: '/dashboard/reviews',
    prepare: async () => {
      await page.getByRole('radio', { name: /^5 stars/ }).check();
      await expect(page.getByRole('button', { name: 'Post review' })).toBeVisible();
    },
  });
});

import { saveScreenshot } from './support/check-accessibility';
import { dashboardPaths, PUBLIC_PATHS } from './support/dashboard-pages';
import { callTool, createPerson, expect, signIn, test } from './support/fixtures';
import { createTeam, invite } from './support/team';

/** The narrowest phones. */
const WIDTHS = [320, 360];

test('no page scrolls sideways on a narrow phone', async ({ page, request }) => {
  const { email, key } = await createPerson('narrow', 25);
  for (const usd of [0.001, 0.25, 12.345678]) await callTool(request, key, 'spend', { amount_usd: usd });
  await callTool(request, key, 'flaky', { mode: 'throw' });
  await signIn(page, email);
  await page.goto('/dashboard/keys');
  const keyPath = await page.getByRole('table').getByRole('link').first().getAttribute('href');
  const paths = [
    ...PUBLIC_PATHS,
    '/pricing',
    ...dashboardPaths(),
    '/dashboard/usage/errors',
    '/dashboard/usage/refused',
    String(keyPath),
  ];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 700 });
    for (const path of paths) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(sideways, `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

test('a name or an email without a space does not widen a page', async ({ page, request }) => {
  const { email, key } = await createPerson(`long-${'b'.repeat(40)}`, 0);
  const made = await request.post('/v1/keys', {
    headers: { Authorization: `Bearer ${key}` },
    data: { name: 'N'.repeat(100), tags: ['t'.repeat(40)], allowed_tools: ['diagnostics.spend', 'math'] },
  });
  expect(made.status()).toBe(201);
  await signIn(page, email);
  const slug = await createTeam(page, `${'T'.repeat(44)}${process.pid}`);
  await invite(page, `${'c'.repeat(60)}@${'d'.repeat(60)}.example`, 'Member');
  const paths = ['/dashboard/keys', '/dashboard/team', `/dashboard/team/${slug}`];
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of [...paths, `/dashboard/billing?billing=${slug}`]) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      await saveScreenshot(page, `long-${width}-${path.replaceAll(/[^a-z]/g, '-')}`, { fullPage: true });
      const sideways = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect.soft(sideways, `${path} at ${width}`).toBeLessThanOrEqual(0);
    }
  }
});

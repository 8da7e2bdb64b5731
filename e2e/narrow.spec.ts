import { dashboardPaths, PUBLIC_PATHS } from './support/dashboard-pages';
import { callTool, createPerson, expect, signIn, test } from './support/fixtures';

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

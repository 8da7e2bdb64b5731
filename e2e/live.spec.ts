import { sql } from 'drizzle-orm';
import type { Page } from 'playwright/test';
import type { Executor } from '../db/client';
import { database } from './support/database';
import { callTool, createPerson, expect, giveCredit, signIn, test } from './support/fixtures';
import { expectStatementSum, figure } from './support/purchases';

const MINUTE_MS = 60_000;

/** Records the requests of a page from now on, except prefetches. */
function watchRequests(page: Page): string[] {
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}${search}`);
  });
  return requests;
}

/**
 * Resolves when the gateway has reported all earlier changes to the open pages of this session: it
 * reports to a new connection with or after them.
 */
async function waitForReport(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const source = new EventSource('/api/live');
    await new Promise((done) => source.addEventListener('changed', done));
    source.close();
  });
}

/** The number of the gateway's statements that wait for a lock. */
async function countLockWaits(tx: Executor): Promise<number> {
  const [row] = await tx.execute<{ waits: number }>(sql`
    select count(*)::int as waits from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return row?.waits ?? 0;
}

test('an open page shows new calls and credit in every tab, and sends no requests while idle', async ({
  page,
  context,
  request,
}) => {
  const { email, key } = await createPerson('live', 2);
  await signIn(page, email);
  await page.clock.install();
  await page.goto('/dashboard');
  const other = await context.newPage();
  await other.goto('/dashboard/billing');
  const header = (tab: typeof page) => tab.getByRole('button', { name: 'Accounts: Personal' });
  for (const tab of [page, other]) await expect(header(tab)).toContainText('$2.00');
  expect((await callTool(request, key, 'spend', { amount_usd: 0.25 })).status).toBe(200);
  for (const tab of [page, other]) await expect(header(tab)).toContainText('$1.75');
  await expect(page.getByRole('button', { name: 'diagnostics.spend' }).first()).toBeVisible();
  await giveCredit({ email }, 3);
  for (const tab of [page, other]) await expect(header(tab)).toContainText('$4.75');
  await other.close();

  await waitForReport(page);
  // A refresh that still waits for its turn starts now.
  await page.clock.runFor(MINUTE_MS);
  const requests = watchRequests(page);
  await page.clock.runFor(MINUTE_MS);
  // Any request of its timers would have been sent before this one.
  await page.evaluate(() => fetch('/healthz'));
  expect(requests).toEqual([]);
});

test('a change made while a page is rendered is shown on it', async ({ page }) => {
  const { email } = await createPerson('rendered', 2);
  await signIn(page, email);
  const visit = await database().transaction(async (tx) => {
    // Only the live token reads this table: the page's other data could be read, and be stale,
    // before it.
    await tx.execute(sql`lock table jobs in access exclusive mode`);
    const goto = page.goto('/dashboard/billing');
    await expect.poll(() => countLockWaits(tx)).toBeGreaterThan(0);
    await giveCredit({ email }, 3);
    return { goto };
  });
  await visit.goto;
  await expect(figure(page, 'Available')).toHaveText('$5.00');
  await expectStatementSum(page, 5_000_000n);
});

test('a hidden tab has no live connection and refreshes at once when shown again', async ({
  page,
  context,
  request,
}) => {
  const { email, key } = await createPerson('hidden', 2);
  await signIn(page, email);
  await page.goto('/dashboard/jobs');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const show = (state: 'visible' | 'hidden') =>
    page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { value: now, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  const header = page.getByRole('button', { name: 'Accounts: Personal' });
  await expect(header).toContainText('$2.00');
  // The update has reached a visible tab before the hidden one is checked.
  const witness = await context.newPage();
  await witness.goto('/dashboard/jobs');
  const requests = watchRequests(page);
  await show('hidden');
  expect((await callTool(request, key, 'spend', { amount_usd: 0.5 })).status).toBe(200);
  await expect(witness.getByRole('button', { name: 'Accounts: Personal' })).toContainText('$1.50');
  expect(requests).toEqual([]);
  await expect(header).toContainText('$2.00');
  await show('visible');
  await expect(header).toContainText('$1.50');
  expect(requests.filter((each) => each.includes('/api/live?since='))).toHaveLength(1);
});

test('signing out a session elsewhere ends its live connection', async ({ page, newPage }) => {
  const { email } = await createPerson('ended', 0);
  await signIn(page, email);
  await page.goto('/dashboard/jobs');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const settings = await newPage();
  await signIn(settings, email);
  await settings.goto('/dashboard/settings');
  const sessions = settings.getByRole('list', { name: 'Sessions' });
  await sessions.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByText('Not live')).toBeVisible();
});

test('one person’s drafts and pages in a tab are never shown to the next person', async ({
  page,
  context,
}) => {
  const [first, second] = [await createPerson('leaves', 1), await createPerson('comes', 2)];
  await signIn(page, first.email);
  await page.goto('/dashboard/playground?tool=diagnostics&skill=echo');
  await page
    .getByRole('textbox', { name: /message/i })
    .first()
    .fill('only for me');
  const readStorage = () => page.evaluate(() => JSON.stringify({ ...sessionStorage }));
  await expect.poll(readStorage).toContain('only for me');
  await page.getByRole('button', { name: `Account: ${first.email}` }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
  expect(await readStorage()).toBe('{}');

  await signIn(page, first.email);
  await page.goto('/dashboard/jobs');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  const other = await context.newPage();
  await other.goto('/dashboard');
  await other.getByRole('button', { name: `Account: ${first.email}` }).click();
  await other.getByRole('button', { name: 'Sign out' }).click();
  await expect(other).toHaveURL('/');
  await expect(page.getByText('Not live')).toBeVisible();
  await signIn(other, second.email);
  await page.bringToFront();
  await page.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(page.getByRole('button', { name: `Account: ${second.email}` })).toBeVisible();
  await other.close();
});

import { readFile } from 'node:fs/promises';
import type { APIRequestContext, Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import { createPerson, expect, signIn, test } from './support/fixtures';
import { createTeam, newTeamName } from './support/team';

/** Calls a skill as an agent does. */
async function call(
  request: APIRequestContext,
  key: string,
  [tool, skill]: [tool: string, skill: string],
  input: object,
  billing?: string,
): Promise<number> {
  const response = await request.post('/v1/tools/call', {
    headers: { Authorization: `Bearer ${key}` },
    data: { tool, skill, input, billing },
  });
  return response.status();
}

const SPEND: [string, string] = ['diagnostics', 'spend'];
const FLAKY: [string, string] = ['diagnostics', 'flaky'];
const EVALUATE: [string, string] = ['math', 'evaluate'];

/** Three paid calls, two free ones of another tool, and one failed call. */
async function makeCalls(request: APIRequestContext, key: string): Promise<void> {
  for (const usd of [0.25, 0.1, 0.000001])
    expect(await call(request, key, SPEND, { amount_usd: usd })).toBe(200);
  for (const expression of ['1+1', '2*3'])
    expect(await call(request, key, EVALUATE, { expression })).toBe(200);
  expect(await call(request, key, FLAKY, { mode: 'throw' })).toBe(502);
}

/** The value of a figure by its name. */
const figure = (page: Page, name: string) =>
  page
    .getByRole('main')
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .first();
const calls = (page: Page) => page.getByRole('table', { name: /^Calls/ });

test('usage is filtered down to a failed call, shared as a link and downloaded as CSV', {
  tag: '@journey',
}, async ({ page, request }) => {
  const { email, key } = await createPerson('usage', 5);
  await makeCalls(request, key);
  await signIn(page, email);
  await page.goto('/dashboard');
  await page.getByRole('link', { name: 'Usage', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible();
  await expect(figure(page, 'Spend')).toHaveText('$0.35');
  await expect(figure(page, 'Spend').locator('data')).toHaveAttribute(
    'title',
    '$0.350001 (350,001 micro-dollars)',
  );
  // Without a mouse, the exact amount shows on focus.
  const spend = figure(page, 'Spend').locator('data');
  await spend.focus();
  expect(await spend.evaluate((data) => getComputedStyle(data, '::after').content)).toBe('"$0.350001"');
  await expect(figure(page, 'Calls')).toHaveText('6');
  // Six calls are too few for a share: only the number of failed ones is shown.
  await expect(figure(page, 'Failed calls')).toHaveText('1');
  await expect(page.getByRole('main').getByText('% of calls')).toBeHidden();
  await expect(calls(page).getByRole('row')).toHaveCount(7);

  // Every row of the breakdown has its calls over time.
  for (const by of ['tool', 'key']) {
    await page.getByRole('radio', { name: by === 'tool' ? 'Tool' : 'Key' }).check();
    const table = page.getByRole('table', { name: `Usage by ${by}` });
    await expect(table.getByRole('img', { name: /^Calls of .+ over time$/ })).toHaveCount(
      by === 'tool' ? 2 : 1,
    );
  }
  await page.getByRole('radio', { name: 'Key' }).check();
  // Amounts of a column are exact, add up, and are charted by the same grouping.
  const byKey = page.getByRole('table', { name: 'Usage by key' });
  await expect(byKey.getByRole('row').filter({ hasText: 'API key' })).toContainText('$0.350001');
  await expect(page.getByRole('group', { name: 'Spend, last 30 days, by key' })).toBeVisible();
  await page.getByRole('radio', { name: 'Tool' }).check();
  const byTool = page.getByRole('table', { name: 'Usage by tool' });
  await expect(byTool.getByRole('row').filter({ hasText: 'math' })).toContainText('$0.000000');
  await expect(byTool.getByRole('row').last()).toContainText(/Total.*\$0\.350001/);
  await expect(page.getByRole('group', { name: 'Spend, last 30 days, by tool' })).toBeVisible();

  // The chart is read with the arrow keys.
  await page.getByRole('group', { name: /^Spend, last 30 days/ }).focus();
  await page.keyboard.press('End');
  await expect(page.getByRole('status').filter({ hasText: '$0.35' })).toHaveText(/, UTC: \$0\.35/);

  // A row of the breakdown filters by its tool.
  await page.getByRole('table', { name: 'Usage by tool' }).getByRole('link', { name: 'diagnostics' }).click();
  await expect(page).toHaveURL(/tool=diagnostics/);
  await expect(figure(page, 'Calls')).toHaveText('4');
  await page.getByLabel('Status').selectOption('Failed');
  await expect(figure(page, 'Calls')).toHaveText('1');
  await expect(calls(page).getByRole('row')).toHaveCount(2);

  // The CSV has the same filters as the page.
  const rows = await downloadCsv(page);
  expect(rows).toHaveLength(1);
  expect(rows[0]).toContain('HANDLER_ERROR');

  // Open the call with the keyboard, and return to the list.
  await calls(page).getByRole('button', { name: 'diagnostics.flaky' }).focus();
  await page.keyboard.press('Enter');
  const drawer = page.getByRole('dialog');
  await expect(drawer).toContainText('HANDLER_ERROR');
  await expect(drawer).toContainText('The tool failed or timed out');
  await expect(drawer).toContainText('Nothing (call failed)');
  await expect(drawer.getByRole('link', { name: 'Run again in playground' })).toHaveAttribute(
    'href',
    /^\/dashboard\/playground\?tool=diagnostics&skill=flaky&call=call_/,
  );
  await expect(page).toHaveURL(/call=call_/);
  const shared = page.url();
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(calls(page).getByRole('button', { name: 'diagnostics.flaky' })).toBeFocused();

  // The link restores the same view with its call; a link with only a call works too.
  await page.goto(shared);
  await expect(drawer).toContainText('HANDLER_ERROR');
  await page.keyboard.press('Escape');
  await expect(figure(page, 'Calls')).toHaveText('1');
  await page.goto(`/dashboard/usage?tool=math&call=${new URL(shared).searchParams.get('call')}`);
  await expect(drawer).toContainText('HANDLER_ERROR');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(figure(page, 'Calls')).toHaveText('6');
  expect(await downloadCsv(page)).toHaveLength(6);
});

test('days are chosen in a calendar by keyboard', async ({ page, request }) => {
  const { email, key } = await createPerson('usage-days', 0);
  expect(await call(request, key, EVALUATE, { expression: '1+1' })).toBe(200);
  await signIn(page, email);
  await page.goto('/dashboard/usage?period=7d');
  await expect(page.locator('input[type=date], input[type=datetime-local]')).toHaveCount(0);

  // Without spending the chart has calls. Each label is centred under its bar.
  const plot = page.getByRole('group', { name: /^Calls, last 7 days/ });
  await expect(plot).toBeVisible();
  const labels = page.locator('[data-bucket]');
  await expect(labels).toHaveCount(7);
  // The page may still be laid out, and the boxes are read one after the other.
  await expect(async () => {
    const box = (await plot.boundingBox()) ?? { x: 0, width: 0 };
    for (let at = 0; at < 7; at++) {
      const label = (await labels.nth(at).boundingBox()) ?? { x: 0, width: 0 };
      const middle = box.x + ((at + 0.5) / 7) * box.width;
      expect(Math.abs(label.x + label.width / 2 - middle)).toBeLessThan(1.5);
    }
  }).toPass();

  // Two days with the keyboard: yesterday and today.
  const today = new Date();
  const day = (ago: number) => new Date(today.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
  const days = page.getByRole('button', { name: /^Dates \(UTC\): Last 7 days/ });
  await days.focus();
  await page.keyboard.press('Enter');
  const picker = page.getByRole('dialog', { name: 'Dates (UTC)' });
  const todays = picker.getByRole('gridcell').getByRole('button', { name: /^Today/ });
  await expect(todays).toBeFocused();
  await page.keyboard.press('ArrowLeft');
  await expect(todays).not.toBeFocused();
  await page.keyboard.press('Enter');
  // The first day is marked, and the panel says that another may follow.
  await expect(picker.getByText('Choose the last day')).toBeVisible();
  await expect(page.locator(':focus')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  await page.keyboard.press('ArrowRight');
  await expect(todays).toBeFocused();
  await page.keyboard.press('Enter');
  await picker.getByRole('button', { name: 'Apply' }).click();
  await expect(picker).toBeHidden();
  await expect(page).toHaveURL(`/dashboard/usage?from=${day(1)}&to=${day(0)}`);
  await expect(figure(page, 'Calls')).toHaveText('1');

  // Yesterday takes one click, as a range and as a period.
  await page.getByRole('button', { name: /^Dates \(UTC\)/ }).click();
  await picker.getByRole('button', { name: 'Yesterday', exact: true }).click();
  await expect(page).toHaveURL(`/dashboard/usage?from=${day(1)}&to=${day(1)}`);
  await expect(figure(page, 'Calls')).toHaveText('0');
  await page.getByRole('radio', { name: 'Yesterday' }).check();
  await expect(page).toHaveURL('/dashboard/usage?period=yesterday');
  await expect(page.getByText('Yesterday. Calls are counted by their end time, in UTC.')).toBeVisible();
  await expect(page.getByText('Hours, UTC')).toBeVisible();

  // A usual range takes one click.
  await page.getByRole('button', { name: /^Dates \(UTC\)/ }).click();
  await picker.getByRole('button', { name: 'Last 30 days' }).click();
  await expect(page).toHaveURL(`/dashboard/usage?from=${day(29)}&to=${day(0)}`);
});

test.describe('in another zone than UTC', () => {
  test.use({ timezoneId: 'Asia/Tokyo' });

  test('times, axis and files name one zone, UTC until another is chosen', async ({ page, request }) => {
    const { email, key } = await createPerson('zone', 1);
    expect(await call(request, key, SPEND, { amount_usd: 0.1 })).toBe(200);
    await signIn(page, email);
    await page.goto('/dashboard/usage?period=24h');
    const time = calls(page).locator('time');
    const clock = (at: string, zone: string) =>
      new Date(at).toLocaleTimeString('en-GB', { timeZone: zone, hourCycle: 'h23' });
    const at = (await time.getAttribute('datetime')) ?? '';
    // Shown with its date if it is not of today: in Tokyo, of another day than in UTC.
    await expect(time).toContainText(clock(at, 'UTC'));
    await expect(page.getByText('Hours, UTC')).toBeVisible();
    await expect(page.getByText('Calls are counted by their end time')).toBeVisible();

    await page.getByRole('button', { name: 'UTC: show times in your own zone' }).click();
    await expect(time).toContainText(clock(at, 'Asia/Tokyo'));
    await expect(page.getByText('Hours, Tokyo time')).toBeVisible();
    // Days are counted in UTC, and say so.
    await page.getByRole('radio', { name: '7 d' }).click();
    await expect(page.getByText('Days, UTC')).toBeVisible();
    // The choice is remembered, and rendered by the server.
    const html = await (await page.request.get('/dashboard/usage')).text();
    expect(html).toContain(`${clock(at, 'Asia/Tokyo')}</time>`);
    await page.getByRole('button', { name: 'Tokyo time: show times in UTC' }).click();
    await expect(time).toContainText(clock(at, 'UTC'));
  });
});

test('another person’s call is not visible, and signing in returns to it', async ({ page, request }) => {
  const owner = await createPerson('usage-owner', 5);
  expect(await call(request, owner.key, SPEND, { amount_usd: 0.1 })).toBe(200);
  await signIn(page, owner.email);
  await page.goto('/dashboard/usage');
  await calls(page).getByRole('button', { name: 'diagnostics.spend' }).click();
  await expect(page).toHaveURL(/call=call_/);
  const shared = page.url();
  await page.context().clearCookies();
  await page.goto(shared);
  await expect(page).toHaveURL(/\/sign-in/);
  await signIn(page, (await createPerson('usage-other', 0)).email);
  await page.goto(shared);
  await expect(page.getByRole('dialog')).toContainText('Call not found');
});

async function downloadCsv(page: Page): Promise<string[]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text).toMatch(/^\uFEFFid,started_at,finished_at,tool,skill,status/);
  return text.trimEnd().split('\r\n').slice(1);
}

test('a key’s charges to a team are on the key’s page and in the team’s usage by member', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('usage-team', 1);
  await signIn(page, email);
  const slug = await createTeam(page, newTeamName('Usage crew'));
  expect(await call(request, key, EVALUATE, { expression: '1+1' }, slug)).toBe(200);
  expect(await call(request, key, SPEND, { amount_usd: 0.2 })).toBe(200);

  await page.goto(`/dashboard/usage?billing=${slug}`);
  await expect(figure(page, 'Calls')).toHaveText('1');
  await page.getByRole('radio', { name: 'Member' }).click();
  await page.getByRole('table', { name: 'Usage by member' }).getByRole('link').click();
  await expect(page).toHaveURL(/member=user_/);
  await expect(figure(page, 'Calls')).toHaveText('1');
  await page.getByLabel('Charged to').selectOption('Personal');
  await expect(figure(page, 'Spend')).toHaveText('$0.20');

  await page.goto('/dashboard/keys');
  await page.getByRole('table').getByRole('link').first().click();
  await expect(figure(page, 'Calls')).toHaveText('2');
  await page.getByRole('radio', { name: 'Charged to' }).click();
  const accounts = page.getByRole('table', { name: 'Usage by account' });
  await expect(accounts.getByRole('row').filter({ hasText: 'Personal' })).toContainText('$0.20');
  await expect(accounts.getByRole('row').filter({ hasText: 'Usage crew' })).toContainText('1');

  // A team the person does not belong to has no visible usage.
  const response = await page.goto('/dashboard/usage?billing=no-such-team');
  expect(response?.status()).toBe(404);
});

test('the usage page passes the accessibility checks, in light and dark, wide and on a phone', async ({
  page,
  request,
}) => {
  test.setTimeout(180_000);
  const { email, key } = await createPerson('usage-looks', 5);
  await signIn(page, email);
  await checkAccessibility(page, {
    name: 'usage-empty',
    path: '/dashboard/usage',
    prepare: (there) => expect(there.getByText('No calls yet')).toBeVisible(),
  });
  await makeCalls(request, key);
  const settled = (there: Page) => expect(figure(there, 'Calls')).toHaveText('6');
  await checkAccessibility(page, { name: 'usage', path: '/dashboard/usage', prepare: settled });
  await checkAccessibility(page, {
    name: 'usage-table',
    path: '/dashboard/usage?view=table&by=key',
    prepare: settled,
  });
  await checkAccessibility(page, {
    name: 'usage-dates',
    path: '/dashboard/usage?from=2026-01-05&to=2026-01-20',
    async prepare(there) {
      await there.getByRole('button', { name: /^Dates \(UTC\)/ }).click();
      await expect(there.getByRole('grid')).toBeVisible();
    },
  });
  await checkAccessibility(page, {
    name: 'usage-call',
    path: '/dashboard/usage',
    async prepare(there) {
      await calls(there).getByRole('button', { name: 'diagnostics.flaky' }).click();
      await expect(there.getByRole('dialog')).toContainText('HANDLER_ERROR');
    },
  });
});

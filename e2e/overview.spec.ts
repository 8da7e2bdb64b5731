import { checkAccessibility } from './support/check-accessibility';
import { callTool, createPerson, expect, giveCredit, signIn, test } from './support/fixtures';
import { createTeam, newTeamName } from './support/team';

test('the first steps complete by themselves as the person does them elsewhere', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('steps', 0);
  await signIn(page, email);
  await page.goto('/dashboard');
  const progress = page.getByRole('status').filter({ hasText: 'of 5 done' });
  await expect(progress).toHaveText('1 of 5 done');
  await expect(page.getByRole('listitem').filter({ hasText: 'Make a first call' })).toHaveAttribute(
    'aria-current',
    'step',
  );

  // The page updates without interaction.
  expect((await callTool(request, key, 'echo', { message: 'hello' })).status).toBe(200);
  await expect(progress).toHaveText('2 of 5 done');
  await expect(page.getByRole('table', { name: /^Recent calls/ })).toContainText('diagnostics.echo');

  // Without spending, the chart has calls.
  await page.reload();
  await expect(page.getByRole('group', { name: /^Calls, / })).toBeVisible();

  await giveCredit({ email }, 3);
  expect((await callTool(request, key, 'spend', { amount_usd: 0.25 })).status).toBe(200);
  await page.reload();
  await expect(progress).toHaveText('4 of 5 done');
  await expect(page.getByRole('listitem').filter({ hasText: 'Try the playground' })).toContainText(
    'Open the playground',
  );

  const main = page.getByRole('main');
  await expect(main).toContainText('$2.75');
  await expect(main).toContainText('Lasts about 77 days at the last 7 days’ rate: $0.04 a day');
  await page.getByRole('radio', { name: '24 h' }).click();
  await expect(page).toHaveURL(/period=24h/);
  await expect(page.getByRole('group', { name: /^Spend, last 24 hours/ })).toBeVisible();

  // A call opens in a drawer, and the full list is one click away.
  await page.getByRole('button', { name: 'diagnostics.spend' }).click();
  await expect(page.getByRole('dialog')).toContainText('$0.25');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('link', { name: 'All calls' }).click();
  await expect(page).toHaveURL('/dashboard/usage?period=24h');
});

test('the balance, what will stop an agent, and the leading tools, keys and errors lead to their slices', {
  tag: '@journey',
}, async ({ page, request }) => {
  const { email, key: manager } = await createPerson('ranked', 10);
  const create = async (data: object) =>
    await (await request.post('/v1/keys', { headers: { Authorization: `Bearer ${manager}` }, data })).json();
  const nightly = await create({ name: 'Nightly', spend_limit: { amount_usd: 0.6, period: 'day' } });
  const weekly = await create({ name: 'Weekly', spend_limit: { amount_usd: 50, period: 'week' } });
  for (const secret of [nightly.secret, nightly.secret, weekly.secret])
    expect((await callTool(request, secret, 'spend', { amount_usd: 0.25 })).status).toBe(200);
  for (let n = 0; n < 2; n++)
    expect((await callTool(request, weekly.secret, 'flaky', { mode: 'throw' })).status).toBe(502);
  const math = { tool: 'math', skill: 'evaluate', input: { expression: '1+1' } };
  const headers = { Authorization: `Bearer ${weekly.secret}` };
  expect((await request.post('/v1/tools/call', { headers, data: math })).status()).toBe(200);

  await signIn(page, email);
  await page.goto('/dashboard');
  const main = page.getByRole('main');
  // $9.25 left and $0.75 spent in a week.
  await expect(main).toContainText('$9.25');
  await expect(main).toContainText('Lasts about 86 days at the last 7 days’ rate');
  const limits = page.getByRole('region', { name: 'Limits near their end' });
  await expect(limits.getByRole('listitem')).toHaveCount(1);
  await expect(limits).toContainText('Nightly');
  await expect(limits).toContainText('$0.50 of $0.60 today');
  const figures = main.locator('dl').filter({ hasText: 'Failed calls' });
  await expect(figures.locator(':scope > div')).toHaveCount(4);
  const rows = (name: string) => page.getByRole('list', { name, exact: true }).getByRole('listitem');
  await expect(rows('Tools by spend')).toHaveText([/^diagnostics\$0.755 calls$/, /^math\$0.001 call$/]);
  await expect(rows('Keys by spend').first()).toContainText('Nightly');
  await expect(rows('Errors')).toContainText('diagnostics: HANDLER_ERROR');
  await checkAccessibility(page, { name: 'overview-ranked', path: '/dashboard' });

  const follow = async (list: string, link: string, url: RegExp) => {
    await page.goto('/dashboard');
    await page.getByRole('list', { name: list, exact: true }).getByRole('link', { name: link }).click();
    await expect(page).toHaveURL(url);
  };
  await follow('Tools by spend', 'math', /\/dashboard\/usage\?tool=math$/);
  await expect(page.getByRole('table', { name: /^Calls/ }).getByRole('row')).toHaveCount(2);
  await follow('Keys by spend', 'Weekly', new RegExp(`/dashboard/usage\\?key=${weekly.id}$`));
  await follow(
    'Errors',
    'diagnostics: HANDLER_ERROR',
    /\/usage\/errors\?tool=diagnostics&error=HANDLER_ERROR$/,
  );
  await expect(page.getByRole('table', { name: /^Failed calls/ }).getByRole('row')).toHaveCount(3);
  await page.goto('/dashboard');
  await limits.getByRole('link', { name: 'Nightly' }).click();
  await expect(page).toHaveURL(`/dashboard/keys/${nightly.id}`);

  // A limit that is used up is not near its end.
  expect((await callTool(request, nightly.secret, 'spend', { amount_usd: 0.1 })).status).toBe(200);
  await page.goto('/dashboard');
  const reached = page.getByRole('region', { name: 'Limits reached or near their end' });
  await expect(reached).toContainText('$0.60 of $0.60 today');
  await expect(reached).toContainText(/Limit reached\. Resets/);
});

test('a team has its own overview', async ({ page, request }) => {
  const { email, key } = await createPerson('team-overview', 1);
  await signIn(page, email);
  const slug = await createTeam(page, newTeamName('Overview crew'));
  await giveCredit({ team: slug }, 4);
  expect((await callTool(request, key, 'spend', { amount_usd: 0.5 }, slug)).status).toBe(200);
  await page.goto(`/dashboard?billing=${slug}`);
  await expect(page.getByRole('main')).toContainText('$3.50');
  await expect(page.getByRole('table', { name: /^Recent calls/ })).toContainText('diagnostics.spend');
  // All cards follow the chosen period.
  await page.goto(`/dashboard?billing=${slug}&period=yesterday`);
  await expect(page.getByRole('heading', { name: 'Recent calls, yesterday' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText('diagnostics.spend');
  await page.getByRole('button', { name: 'Show all time' }).click();
  await expect(page).toHaveURL(`/dashboard/usage?billing=${slug}&period=all`);
  await expect(page.getByRole('main')).toContainText('diagnostics.spend');
  await page.goto('/dashboard');
  await expect(page.getByRole('main')).toContainText('$1.00');
  await expect(page.getByRole('main')).not.toContainText('diagnostics.spend');
});

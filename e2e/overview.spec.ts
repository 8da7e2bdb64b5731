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
  await expect(page.getByRole('region', { name: 'Spent' })).toContainText('$0.25');
  await page.getByRole('radio', { name: '24 h' }).click();
  await expect(page).toHaveURL(/period=24h/);
  await expect(page.getByRole('group', { name: /^Spend, last 24 hours/ })).toBeVisible();

  // A call opens in a drawer, and the full list is one click away.
  await page.getByRole('button', { name: 'diagnostics.spend' }).click();
  await expect(page.getByRole('dialog')).toContainText('$0.25');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByRole('link', { name: 'All calls' }).click();
  await expect(page).toHaveURL('/dashboard/usage?period=all');
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
  await page.goto('/dashboard');
  await expect(page.getByRole('main')).toContainText('$1.00');
  await expect(page.getByRole('main')).not.toContainText('diagnostics.spend');
});

import { checkAccessibility } from './support/check-accessibility';
import { callTool, createPerson, expect, giveCredit, signIn, test } from './support/fixtures';
import { figure, microusd } from './support/purchases';
import { createTeam, newTeamName } from './support/team';

test('personal and team accounts show their own money and calls, and navigation keeps the selection', async ({
  page,
  request,
}) => {
  const { email, key } = await createPerson('switch', 20);
  await signIn(page, email);
  const name = newTeamName('Switch');
  const slug = await createTeam(page, name);
  await giveCredit({ team: slug }, 100);
  await callTool(request, key, 'spend', { amount_usd: 0.25 });
  for (let call = 0; call < 2; call++) await callTool(request, key, 'spend', { amount_usd: 0.5 }, slug);

  await page.goto('/dashboard/billing');
  const available = figure(page, 'Available').locator('data');
  await expect.poll(async () => microusd((await available.getAttribute('value')) ?? '')).toBe(19_750_000n);
  await page.getByRole('button', { name: 'Accounts: Personal' }).click();
  const list = page.getByRole('dialog', { name: 'Accounts' });
  await expect(list.getByRole('link', { name: 'Personal' })).toHaveAttribute('aria-current', 'true');
  await expect(list.getByRole('link', { name })).toContainText('Owner');
  await expect(list.getByRole('link', { name })).toContainText('$99.00');

  // A page that is scoped to an account stays open.
  await list.getByRole('link', { name }).click();
  await expect(page).toHaveURL(`/dashboard/billing?billing=${slug}`);
  await expect.poll(async () => microusd((await available.getAttribute('value')) ?? '')).toBe(99_000_000n);
  const statement = page.getByRole('table', { name: /^Statement/ });
  await expect(statement.getByRole('row').filter({ hasText: '2 calls' })).toHaveCount(1);

  // The sidebar's links keep the selection, also across pages without an account.
  const places = page.getByRole('navigation', { name: 'Dashboard' }).first();
  await places.getByRole('link', { name: 'Keys', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await expect(page.getByRole('button', { name: `Accounts: ${name}` })).toBeVisible();
  await places.getByRole('link', { name: 'Billing' }).click();
  await expect(page).toHaveURL(`/dashboard/billing?billing=${slug}`);

  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(`/dashboard/billing?billing=${slug}`);
  await page.goBack();
  await expect(page).toHaveURL('/dashboard/billing');
  await expect(page.getByRole('button', { name: 'Accounts: Personal' })).toBeVisible();
  await expect.poll(async () => microusd((await available.getAttribute('value')) ?? '')).toBe(19_750_000n);
  await expect(statement.getByRole('row').filter({ hasText: '1 call' })).toHaveCount(1);

  // Usage shows the selected account and keeps its period when the account changes.
  await page.goto(`/dashboard/usage?period=7d&billing=${slug}`);
  await expect(figure(page, 'Calls')).toHaveText('2');
  await page.getByRole('button', { name: `Accounts: ${name}` }).click();
  await list.getByRole('link', { name: 'Personal' }).click();
  await expect(page).toHaveURL('/dashboard/usage?period=7d');
  await expect(figure(page, 'Calls')).toHaveText('1');

  // From a page without an account, selecting one opens its overview.
  await page.goto('/dashboard/settings');
  await page.getByRole('button', { name: 'Accounts: Personal' }).click();
  await list.getByRole('link', { name }).click();
  await expect(page).toHaveURL(`/dashboard?billing=${slug}`);
});

test('arrows and letters move through the accounts, and Escape restores the focus', async ({ page }) => {
  const { email } = await createPerson('switch-keys', 1);
  await signIn(page, email);
  await createTeam(page, newTeamName('Zebra'));
  const slug = await createTeam(page, newTeamName('Quagga'));
  await page.goto('/dashboard/billing');
  const button = page.getByRole('button', { name: 'Accounts: Personal' });
  await button.focus();
  await page.keyboard.press('Enter');
  const list = page.getByRole('dialog', { name: 'Accounts' });
  await expect(list.getByRole('link', { name: 'Personal' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(list.getByRole('link', { name: 'Personal' })).not.toBeFocused();
  await page.keyboard.press('Home');
  await expect(list.getByRole('link', { name: 'Personal' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(list.getByRole('link', { name: 'Create team' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  await expect(button).toBeFocused();

  await page.keyboard.press('Enter');
  await page.keyboard.press('q');
  await expect(list.getByRole('link', { name: /^Quagga/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/dashboard/billing?billing=${slug}`);
});

test('a link to another team’s billing says that the person is not a member', async ({ page }) => {
  const { email } = await createPerson('other-person', 1);
  await signIn(page, email);
  const response = await page.goto('/dashboard/billing?billing=not-mine');
  expect(response?.status()).toBe(404);
  await expect(page.getByText('You are not in a team called “not-mine”')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Accounts: Choose an account' })).toBeVisible();
  await page.getByRole('link', { name: 'Show your own account' }).click();
  await expect(page).toHaveURL('/dashboard/billing');
  await expect(page.getByRole('heading', { level: 1, name: 'Billing' })).toBeVisible();
});

test('the switcher passes the accessibility checks', async ({ page }) => {
  const { email } = await createPerson('switch-look', 12.5);
  await signIn(page, email);
  await createTeam(page, newTeamName('Research and development'));
  await checkAccessibility(page, {
    name: 'account-switcher',
    path: '/dashboard/settings',
    async prepare(shown) {
      await shown.getByRole('button', { name: 'Accounts: Personal' }).click();
      await expect(shown.getByRole('dialog', { name: 'Accounts' })).toBeVisible();
    },
  });
});

test('the page for a link to another team passes the accessibility checks', async ({ page }) => {
  const { email } = await createPerson('switch-unknown', 1);
  await signIn(page, email);
  await checkAccessibility(page, { name: 'account-unknown', path: '/dashboard/billing?billing=not-mine' });
});

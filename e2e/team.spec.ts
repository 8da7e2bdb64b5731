import type { Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import {
  callTool,
  createPerson,
  expect,
  followLink,
  giveCredit,
  newEmail,
  requestSignInLink,
  secretIn,
  signIn,
  test,
} from './support/fixtures';
import { accept, createTeam, invite, newTeamName } from './support/team';

test('a team’s life cycle: created, joined by email, charged, viewed by a member, and closed to a removed member', {
  tag: '@journey',
}, async ({ page, newPage, request }) => {
  const owner = await createPerson('owner', 0);
  const colleague = await createPerson('colleague', 0);
  await signIn(page, owner.email);
  await page.goto('/dashboard');
  await page
    .getByRole('navigation', { name: 'Dashboard' })
    .first()
    .getByRole('link', { name: 'Team' })
    .click();
  await expect(page.getByText('You’re not in a team yet')).toBeVisible();
  const slug = await createTeam(page, 'Ada’s Café');
  expect(slug).toBe('adas-cafe');

  await invite(page, colleague.email, 'Member');
  await expect(page.getByRole('table', { name: 'Invitations' })).toContainText(colleague.email);

  // The colleague opens the email signed out, signs in, and returns to the invitation.
  const theirs = await newPage();
  await theirs.goto('/inbox');
  const mail = theirs.getByRole('article', { name: `Join Ada’s Café` }).filter({ hasText: colleague.email });
  await mail.getByRole('link').click();
  await expect(theirs.getByRole('heading', { name: 'Join Ada’s Café' })).toBeVisible();
  await expect(theirs.getByRole('main')).not.toContainText(colleague.email);
  await theirs.getByRole('link', { name: 'Sign in to accept' }).click();
  await requestSignInLink(theirs, colleague.email);
  await followLink(theirs, colleague.email);
  await expect(theirs.getByRole('main')).toContainText(colleague.email);
  await theirs.getByRole('button', { name: 'Join the team' }).click();
  await expect(theirs.getByRole('heading', { name: 'You are in Ada’s Café' })).toBeFocused();

  const spend = (usd: number) => callTool(request, colleague.key, 'spend', { amount_usd: usd }, slug);
  expect(await spend(0.25)).toMatchObject({ status: 402 });
  await giveCredit({ team: slug }, 5);
  expect(await spend(0.25)).toMatchObject({ status: 200, body: { usage: { cost: 0.25 } } });

  await theirs.getByRole('link', { name: 'Go to the team' }).click();
  await expect(theirs.getByRole('main')).toContainText('$4.75');
  await expect(theirs.getByRole('button', { name: 'Invite', exact: true })).toHaveCount(0);
  await expect(theirs.getByRole('button', { name: 'Accounts: Ada’s Café' })).toContainText('$4.75');

  await page.reload();
  const members = page.getByRole('table', { name: 'Members' });
  await expect(members.getByRole('row')).toHaveCount(3);
  await expect(page.getByRole('table', { name: 'Invitations' })).toHaveCount(0);
  const spenders = page.getByRole('table', { name: 'Spend by member this month' });
  await expect(spenders.getByRole('row').filter({ hasText: colleague.email })).toContainText('$0.25');

  // Their open page of the team would refetch its figures and get a 404.
  await theirs.goto('/dashboard/team');
  await members.getByRole('button', { name: `Remove ${colleague.email}` }).click();
  const alert = page.getByRole('alertdialog');
  await expect(alert).toContainText(`"billing": "${slug}"`);
  await alert.getByRole('button', { name: 'Remove member' }).click();
  await expect(alert).toBeHidden();
  await expect(members.getByRole('row')).toHaveCount(2);
  expect(await spend(0.25)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  await expect(spenders).toContainText('No longer in the team');
  expect((await theirs.request.get(`/dashboard/team/${slug}`)).status()).toBe(404);
  await theirs.goto('/dashboard/team');
  await expect(theirs.getByText('You’re not in a team yet')).toBeVisible();
});

test('an agent charges the team by its key alone; its page shows calls and what is left, and a member limit refuses', async ({
  page,
  newPage,
  request,
}) => {
  const owner = await createPerson('team-key', 0);
  const member = await createPerson('team-key-member', 0);
  await signIn(page, owner.email);
  const team = newTeamName('Keyring');
  const slug = await createTeam(page, team);
  await giveCredit({ team: slug }, 5);
  const link = await invite(page, member.email, 'Member');
  const theirs = await newPage();
  await signIn(theirs, member.email);
  await accept(theirs, link, team);

  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialog.getByLabel('Name').fill('CI agent');
  await dialog.getByLabel('Spending limit').fill('1');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await secretIn(dialog);
  await dialog.getByRole('button', { name: 'Done' }).click();

  // No `billing`: the key says who pays, over REST and MCP.
  expect(await callTool(request, secret, 'spend', { amount_usd: 0.25 })).toMatchObject({ status: 200 });
  const viaMcp = await request.post('/mcp', {
    headers: { Authorization: `Bearer ${secret}`, Accept: 'application/json, text/event-stream' },
    data: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'call_tool',
        arguments: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.25 } },
      },
    },
  });
  expect(await viaMcp.text()).toContain(`"billing":"${slug}"`);
  expect(await callTool(request, secret, 'spend', { amount_usd: 0.1 }, 'personal')).toMatchObject({
    status: 403,
    body: { error: { code: 'FORBIDDEN' } },
  });

  await page.reload();
  await expect(page.getByRole('main')).toContainText('$4.50');
  await page
    .getByRole('table', { name: 'Keys of the team' })
    .getByRole('link', { name: /CI agent/ })
    .click();
  const main = page.getByRole('main');
  await expect(main).toContainText('$0.50 of $1.00 used');
  await expect(main).toContainText('0 of 5 used');
  await expect(page.getByRole('table', { name: 'Recent calls' }).getByRole('row')).toHaveCount(3);
  await page.getByRole('table', { name: 'Recent calls' }).getByRole('row').nth(1).click();
  await expect(dialog).toContainText('diagnostics');
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('tab', { name: 'MCP' }).click();
  await expect(main).toContainText('mcpServers');
  expect(await page.content()).not.toContain(secret);
  const keyPath = new URL(page.url()).pathname;

  await main.getByRole('button', { name: 'Rotate' }).click();
  await dialog.getByLabel('Current secret').selectOption('Works for an hour');
  await dialog.getByRole('button', { name: 'Rotate key' }).click();
  const rotated = await secretIn(dialog);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(main).toContainText('Works until');
  await expect(page.getByRole('tabpanel', { name: 'MCP' })).toContainText(rotated.slice(-4));
  for (const each of [secret, rotated])
    expect(await callTool(request, each, 'echo', { message: 'x' })).toMatchObject({ status: 200 });

  // A member sees the key and its limits, and changes nothing.
  await theirs.goto(keyPath);
  await expect(theirs.getByRole('main')).toContainText('$0.50 of $1.00 used');
  await expect(theirs.getByRole('button', { name: /Rotate|Edit|Actions for/ })).toHaveCount(0);
  await checkAccessibility(page, { name: 'team-key', path: keyPath });
  await checkAccessibility(page, { name: 'team-keys', path: `/dashboard/keys?billing=${slug}` });

  await page.goto(`/dashboard/team/${slug}`);
  await page.getByRole('button', { name: `Change the monthly limit of ${member.email}` }).click();
  await dialog.getByLabel('Monthly limit').fill('0.3');
  await dialog.getByRole('button', { name: 'Save limit' }).click();
  await expect(dialog).toBeHidden();
  const spend = () => callTool(request, member.key, 'spend', { amount_usd: 0.2 }, slug);
  expect(await spend()).toMatchObject({ status: 200 });
  expect(await spend()).toMatchObject({
    body: { error: { code: 'SPENDING_LIMIT_EXCEEDED', limit: 'member' } },
  });
  const row = page.getByRole('table', { name: 'Members' }).getByRole('row').filter({ hasText: member.email });
  await expect(row).toContainText('$0.20 of $0.30 used');
  // The member and the owner get an email, once each.
  for (const { email } of [owner, member])
    await expect(async () => {
      await page.goto('/inbox');
      const mail = page.getByRole('article', { name: `to ${email}` }).filter({
        hasText: `${member.email} has used $0.20 of the monthly limit of $0.30`,
      });
      await expect(mail).toHaveCount(1, { timeout: 2_000 });
    }).toPass();
});

test('roles, renaming, and the default team of a person in two teams', async ({ page, newPage, request }) => {
  const owner = await createPerson('boss', 0);
  const heir = await createPerson('heir', 0);
  await signIn(page, owner.email);
  await createTeam(page, 'Elsewhere');
  const slug = await createTeam(page, 'Heirloom');
  const theirs = await newPage();
  await signIn(theirs, heir.email);
  await accept(theirs, await invite(page, heir.email, 'Member'), 'Heirloom');

  await page.reload();
  const role = page.getByLabel(`Role of ${heir.email}`);
  await expect(role).toHaveValue('member');
  await role.selectOption('Admin');
  await expect(page.getByText(`${heir.email} is now an admin`)).toBeVisible();
  await theirs.goto(`/dashboard/team/${slug}`);
  await expect(theirs.getByRole('button', { name: 'Invite', exact: true })).toBeVisible();

  // With two teams, `team` is ambiguous until a default is chosen.
  const free = () => callTool(request, owner.key, 'echo', { message: 'x' }, 'team');
  expect(await free()).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
  await page.getByRole('switch', { name: 'Your default team' }).click();
  await expect(page.getByText('Default', { exact: true })).toBeVisible();
  expect((await free()).status).toBe(200);

  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Heirloom & Co');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename team' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Heirloom & Co' })).toBeVisible();
});

test('a team is transferred, left by its former owner, and deleted once it has no credit', async ({
  page,
  newPage,
  request,
}) => {
  const owner = await createPerson('giver', 0);
  const heir = await createPerson('heir', 0);
  await signIn(page, owner.email);
  const slug = await createTeam(page, 'Keepsake');
  const theirs = await newPage();
  await signIn(theirs, heir.email);
  await accept(theirs, await invite(page, heir.email, 'Member'), 'Keepsake');
  await page.reload();

  await page.getByRole('button', { name: 'Transfer ownership' }).click();
  const alert = page.getByRole('alertdialog');
  await alert.getByRole('button', { name: 'Transfer ownership' }).click();
  await expect(alert.getByRole('alert')).toContainText('choose a member');
  await alert.getByLabel('New owner').selectOption({ label: heir.email });
  await alert.getByRole('button', { name: 'Transfer ownership' }).click();
  await expect(alert).toBeHidden();
  await page.getByRole('button', { name: 'Leave team' }).click();
  await alert.getByRole('button', { name: 'Leave team' }).click();
  await expect(page).toHaveURL('/dashboard/team');
  await expect(page.getByText('You’re not in a team yet')).toBeVisible();

  await giveCredit({ team: slug }, 1);
  await theirs.goto(`/dashboard/team/${slug}`);
  await expect(theirs.getByText('The team still has $1.00.')).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Delete team' })).toBeDisabled();
  expect((await callTool(request, heir.key, 'spend', { amount_usd: 1 }, slug)).status).toBe(200);
  await theirs.reload();
  await theirs.getByRole('button', { name: 'Delete team' }).click();
  const theirAlert = theirs.getByRole('alertdialog');
  await theirAlert.getByRole('button', { name: 'Delete team' }).click();
  await expect(theirs).toHaveURL('/dashboard/team');
  await expect(theirs.getByText('You’re not in a team yet')).toBeVisible();
  expect((await callTool(request, heir.key, 'echo', { message: 'x' }, slug)).status).toBe(403);
});

test('on a phone, every page is in the bar or under More, and the accounts are one tap away', async ({
  page,
}) => {
  const { email } = await createPerson('thumb', 3);
  await signIn(page, email);
  await createTeam(page, 'Pocket');
  // The toast about the new team covers the account switcher for some seconds.
  await page.reload();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const bar = page.getByRole('navigation', { name: 'Dashboard' });
    for (const name of ['Overview', 'Usage', 'Keys', 'Billing']) {
      const label = bar.getByRole('link', { name });
      await expect(label).toBeVisible();
      // The label fits its cell.
      expect(await label.evaluate((link) => link.scrollWidth - link.clientWidth)).toBeLessThanOrEqual(0);
    }
    await bar.getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('link', { name: 'Team', exact: true })).toHaveAttribute(
      'aria-current',
      'page',
    );
    await expect(page.getByRole('link', { name: 'Catalogue' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(bar.getByRole('button', { name: 'More' })).toBeFocused();
  }
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page).toHaveURL('/dashboard/settings');
  await expect(page.getByRole('link', { name: 'Catalogue' })).toBeHidden();

  // Settings has no account, so the last selection stays.
  await page.getByRole('button', { name: 'Accounts: Pocket' }).click();
  const accounts = page.getByRole('dialog', { name: 'Accounts' });
  const own = accounts.getByRole('link', { name: /Personal/ });
  await expect(own).toContainText('$3.00');
  await expect(own).toHaveAttribute('href', '/dashboard');
  await accounts.getByRole('link', { name: 'Teams' }).click();
  await expect(page).toHaveURL('/dashboard/team');
});

test.describe('the team pages', () => {
  test.setTimeout(240_000);
  test('passes the accessibility checks, in light and dark, wide and on a phone', async ({
    page,
    newPage,
    request,
  }) => {
    const owner = await createPerson('shown', 12);
    await signIn(page, owner.email);
    await checkAccessibility(page, { name: 'teams-empty', path: '/dashboard/team' });
    await page.setViewportSize({ width: 1280, height: 800 });
    const slug = await createTeam(page, 'Quartz Research');
    await giveCredit({ team: slug }, 40);
    const colleague = await createPerson('a-colleague-with-a-long-address', 0);
    const invited = newEmail('invited-by-a-long-address');
    const theirs = await newPage();
    await signIn(theirs, colleague.email);
    await accept(theirs, await invite(page, colleague.email, 'Admin'), 'Quartz Research');
    for (const [key, usd] of [
      [owner.key, 0.0005],
      [colleague.key, 0.75],
    ] as const)
      expect((await callTool(request, key, 'spend', { amount_usd: usd }, slug)).status).toBe(200);
    const created = await request.post('/v1/keys', {
      headers: { Authorization: `Bearer ${owner.key}` },
      data: { name: 'CI agent', billing: slug, spend_limit: { amount_usd: 20, period: 'month' } },
    });
    expect(created.status()).toBe(201);
    const path = await invite(page, invited, 'Member');
    const team = `/dashboard/team/${slug}`;
    const open = (name: string) => (of: Page) => of.getByRole('button', { name, exact: true }).click();
    const changeLimit = open(`Change the monthly limit of ${colleague.email}`);
    await changeLimit(page);
    await page.getByRole('dialog').getByLabel('Monthly limit').fill('25');
    await page.getByRole('button', { name: 'Save limit' }).click();
    await expect(page.getByRole('main')).toContainText('$0.75 of $25.00 used');
    const openAccounts = (of: Page) => of.getByRole('button', { name: 'Accounts: Quartz Research' }).click();
    const inviteAnother = async (of: Page) => {
      await open('Invite')(of);
      await of.getByLabel('Email', { exact: true }).fill('another@e2e.test');
      await of.getByRole('button', { name: 'Send invitation' }).click();
      await expect(of.getByRole('status', { name: 'Invitation link' })).toBeVisible();
    };
    for (const shown of [
      { name: 'teams', path: '/dashboard/team' },
      { name: 'teams-create', path: '/dashboard/team', prepare: open('Create team') },
      { name: 'team', path: team },
      { name: 'team-invite', path: team, prepare: open('Invite') },
      { name: 'team-limit', path: team, prepare: changeLimit },
      { name: 'team-remove', path: team, prepare: open(`Remove ${colleague.email}`) },
      { name: 'team-invited', path: team, prepare: inviteAnother },
      { name: 'team-accounts', path: team, prepare: openAccounts },
    ])
      await test.step(shown.name, () => checkAccessibility(page, shown));
    await checkAccessibility(theirs, { name: 'join-other', path });
    const outsider = await newPage();
    await checkAccessibility(outsider, { name: 'join', path });
    await signIn(outsider, invited);
    await checkAccessibility(outsider, { name: 'join-confirm', path });
  });
});

import {
  createPerson,
  expect,
  followLink,
  newEmail,
  requestSignInLink,
  signIn,
  test,
} from './support/fixtures';
import { createTeam, invite, newTeamName } from './support/team';

/** Its slug has the most characters that a slug may have. */
const LONG_NAME = 'Association of Addresses and Invitations';

test('an invitation is bound to its address: another person sees that, and can sign in with the right one', async ({
  page,
  newPage,
}) => {
  const owner = await createPerson('inviter', 0);
  await signIn(page, owner.email);
  await createTeam(page, LONG_NAME);
  const invited = newEmail('invited');
  const path = await invite(page, invited, 'Admin');

  const other = newEmail('other');
  const theirs = await newPage();
  await signIn(theirs, other);
  await theirs.goto(path);
  await expect(theirs.getByRole('main')).toContainText(other);
  await expect(theirs.getByRole('main')).not.toContainText(invited);
  await expect(theirs.getByRole('button', { name: 'Join the team' })).toHaveCount(0);
  await theirs.getByRole('button', { name: 'Sign in with the invited address' }).click();
  await requestSignInLink(theirs, invited);
  await followLink(theirs, invited);
  await theirs.getByRole('button', { name: 'Join the team' }).click();
  await expect(theirs.getByRole('heading', { name: `You are in ${LONG_NAME}` })).toBeVisible();
  await theirs.setViewportSize({ width: 390, height: 844 });
  const sideways = () =>
    theirs.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(await sideways()).toBe(0);
  // A used link says so to others, and links the member to the team.
  await theirs.goto(path);
  await expect(theirs.getByRole('link', { name: 'Go to the team' })).toBeVisible();
  const otherPerson = await newPage();
  await otherPerson.goto(path);
  await expect(
    otherPerson.getByRole('heading', { name: 'This invitation has already been used' }),
  ).toBeVisible();
  await otherPerson.goto('/join?token=inv_wrong');
  await expect(
    otherPerson.getByRole('heading', { name: 'This invitation link does not work' }),
  ).toBeVisible();
});

test('opening a link joins nothing; a declined or revoked link stops working, and sending again creates a new one', async ({
  page,
  newPage,
}) => {
  const owner = await createPerson('looks', 0);
  await signIn(page, owner.email);
  await createTeam(page, 'Window Shop');
  const guest = newEmail('guest');
  const first = await invite(page, guest, 'Member');
  const theirs = await newPage();
  await signIn(theirs, guest);
  for (let visit = 0; visit < 2; visit++) {
    await theirs.goto(first);
    await expect(theirs.getByRole('button', { name: 'Join the team' })).toBeVisible();
  }
  await page.getByRole('button', { name: `Send again to ${guest}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Invitation sent again' });
  const link = await dialog.getByRole('status', { name: 'Invitation link' }).textContent();
  await dialog.getByRole('button', { name: 'Done' }).click();
  // The page that was open has the old link.
  await theirs.getByRole('button', { name: 'Join the team' }).click();
  await expect(theirs.getByRole('heading', { name: 'This invitation link does not work' })).toBeVisible();
  await theirs.goto(link ?? '');
  await theirs.getByRole('button', { name: 'Decline' }).click();
  await expect(theirs.getByRole('heading', { name: 'Invitation declined' })).toBeFocused();
  await theirs.goto(link ?? '');
  await expect(theirs.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible();

  await page.reload();
  await expect(page.getByRole('table', { name: 'Members' }).getByRole('row')).toHaveCount(2);
  const second = await invite(page, guest, 'Member');
  await page.getByRole('button', { name: `Revoke the invitation for ${guest}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke invitation' }).click();
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(page.getByRole('table', { name: 'Invitations' })).toHaveCount(0);
  await theirs.goto(second);
  await expect(theirs.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible();
});

test('an invalid address is rejected at its field', async ({ page }) => {
  const owner = await createPerson('mistypes', 0);
  await signIn(page, owner.email);
  await createTeam(page, newTeamName('Typing'));
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email', { exact: true }).fill('no address');
  await dialog.getByRole('button', { name: 'Send invitation' }).click();
  await expect(dialog.getByRole('alert').filter({ hasText: 'Email' })).toBeVisible();
  await expect(dialog.getByLabel('Email', { exact: true })).toBeFocused();
});

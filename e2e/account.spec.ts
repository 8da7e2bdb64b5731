import { readFile } from 'node:fs/promises';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import {
  callTool,
  confirmSignIn,
  createPerson,
  expect,
  newEmail,
  requestSignInLink,
  signIn,
  signInByEmail,
  test,
} from './support/fixtures';
import { untilHydrated } from './support/hydration';

/**
 * A code of an authenticator app. Each is valid once, but the next one is accepted early.
 * @param ahead in steps of 30 s
 */
function readCode(secret: string, ahead: 0 | 1): string {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() + ahead * 30_000 });
}

/** Follows the link of the newest email with this subject to an address in the local inbox. */
async function followEmail(page: Page, subject: string, to: string): Promise<void> {
  await page.goto('/inbox');
  await page
    .getByRole('article', { name: `${subject}, to ${to}` })
    .first()
    .getByRole('link')
    .click();
  await expect(page).not.toHaveURL('/inbox');
}

async function signOut(page: Page): Promise<void> {
  await untilHydrated(page);
  await page.getByRole('button', { name: 'Account:' }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page).not.toHaveURL(/dashboard/);
}

/** Requests a link, follows it, and stops where the code is asked for. */
async function signInToCode(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in?callbackUrl=%2Fdashboard%2Fsettings');
  await requestSignInLink(page, email);
  await followEmail(page, 'Sign in to Tool Gateway', email);
  await confirmSignIn(page);
  await expect(page.getByRole('heading', { name: 'Two-step verification' })).toBeVisible();
  await untilHydrated(page);
}

async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
}

test('a person changes their email, adds a second factor, exports their data and leaves', async ({
  page,
  newPage,
  request,
}) => {
  const { email, key } = await createPerson('leaver', 1);
  const called = await callTool(request, key, 'spend', { amount_usd: 0.25 });
  expect(called.status).toBe(200);
  await signIn(page, email);
  const other = await newPage();
  await signIn(other, email);

  await page.goto('/dashboard/settings');
  const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);
  await page.getByRole('button', { name: 'Sign out all others' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out all others' }).click();
  await expect(sessions).toHaveCount(1);
  await other.goto('/dashboard');
  await expect(other).toHaveURL(/\/sign-in/);

  const next = newEmail('left');
  await page.getByRole('button', { name: 'Change email' }).click();
  await page.getByLabel('New email').fill(next);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('status').filter({ hasText: next })).toBeVisible();
  await followEmail(page, 'Confirm your new email address: Tool Gateway', next);
  await checkAccessibility(page, { name: 'email-confirm', path: page.url() });
  await page.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByRole('heading', { name: 'Your email was changed' })).toBeVisible();
  await followEmail(other, 'Your email address was changed: Tool Gateway', email);
  await expect(other.getByRole('heading', { name: 'Undo the change of your email' })).toBeVisible();
  await checkAccessibility(other, { name: 'email-undo', path: other.url() });
  await page.getByRole('link', { name: 'Open settings' }).click();
  await expect(page.getByLabel('Email', { exact: true })).toHaveValue(next);
  await untilHydrated(page);

  await page.getByRole('button', { name: 'Set up' }).click();
  const setup = page.getByRole('dialog');
  await expect(setup.getByRole('img', { name: 'QR code of the secret' })).toBeVisible();
  const secret = (await setup.getByRole('status', { name: 'Secret' }).textContent()) ?? '';
  await setup.getByLabel('Code', { exact: true }).fill(readCode(secret, 0));
  await setup.getByRole('button', { name: 'Turn on' }).click();
  const codes = setup.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const [recovery = '', toExport = '', toLeave = ''] = await codes.allTextContents();
  await setup.getByRole('button', { name: 'I have saved them' }).click();
  await expect(page.getByText('10 recovery codes are left.')).toBeVisible();
  await expect(setup).toBeHidden();

  await signOut(page);
  await signInToCode(page, next);
  await page.goto('/dashboard/keys');
  await expect(page).toHaveURL(/\/sign-in\/code/);
  await checkAccessibility(page, { name: 'sign-in-code', path: page.url() });
  await enterCode(page, '000000');
  await expect(page.getByRole('alert').filter({ hasText: 'not valid' })).toBeVisible();
  await enterCode(page, readCode(secret, 1));
  await expect(page).toHaveURL('/dashboard/keys');

  await signInToCode(other, next);
  await enterCode(other, recovery);
  await expect(other).toHaveURL('/dashboard/settings');
  await signOut(other);
  await signInToCode(other, next);
  await enterCode(other, recovery);
  await expect(other.getByRole('alert').filter({ hasText: 'not valid' })).toBeVisible();

  await page.goto('/dashboard/settings');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Code', { exact: true }).fill(toExport);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download' }).click(),
  ]);
  const data = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(data.profile.email).toBe(next);
  expect(data.calls).toMatchObject([{ tool: 'diagnostics', skill: 'spend' }]);
  expect(JSON.stringify(data)).not.toContain(key);

  await page.getByRole('button', { name: 'Delete account' }).click();
  const last = page.getByRole('alertdialog');
  await last.getByLabel(`Type ${next} to confirm`).fill(next);
  await last.getByLabel('Code', { exact: true }).fill(toLeave);
  await last.getByRole('button', { name: 'Delete account' }).click();
  await expect(page).toHaveURL('/goodbye');
  await expect(page.getByRole('heading', { name: 'Your account is deleted' })).toBeVisible();
  await checkAccessibility(page, { name: 'goodbye', path: '/goodbye' });
  expect((await callTool(request, key, 'echo', { message: 'x' })).status).toBe(401);
});

test('the inbox shows the HTML of an email without running it', async ({ page }) => {
  const email = newEmail('html');
  await signInByEmail(page, email);
  await page.goto('/inbox');
  const mail = page.getByRole('article', { name: `Sign in to Tool Gateway, to ${email}` });
  await mail.getByText('HTML version').click();
  const html = mail.frameLocator('iframe');
  await expect(html.getByRole('heading', { name: 'Sign in to Tool Gateway' })).toBeVisible();
  await expect(html.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', /\/sign-in\/confirm\?/);
  const logo = html.locator('img');
  await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
});

import type { Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import {
  admin,
  baseUrl,
  confirmSignIn,
  expect,
  followLink,
  newEmail,
  requestSignInLink,
  signIn,
  signInByEmail,
  test,
} from './support/fixtures';
import { holdScripts } from './support/hydration';

const ELSEWHERE = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/%5Cevil.example/',
  '/%2F/evil.example/',
  '/\t/evil.example/',
  'javascript:alert(1)',
  `${'http'}://localhost@evil.example/`,
];

/** Requests a sign-in link, and returns it from the local inbox. */
async function getSignInLink(page: Page, email: string): Promise<string> {
  await page.goto('/sign-in');
  await requestSignInLink(page, email);
  await page.getByRole('link', { name: 'Open the local inbox' }).click();
  const mail = page.getByRole('article', { name: `to ${email}` }).first();
  return (await mail.getByRole('link').getAttribute('href')) ?? '';
}

test('an address submitted before hydration is used', async ({ page }) => {
  const email = newEmail('early');
  const load = await holdScripts(page);
  const opening = page.goto('/sign-in?callbackUrl=%2Fdashboard%2Fkeys');
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
  await expect(page).toHaveURL('/sign-in?callbackUrl=%2Fdashboard%2Fkeys');
  load();
  await opening;
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await followLink(page, email);
  await expect(page).toHaveURL('/dashboard/keys');
});

test('at another address of the gateway the page leads to its own', async ({ page }) => {
  const own = new URL(baseUrl());
  const other = new URL(own);
  other.hostname = own.hostname === 'localhost' ? '127.0.0.1' : 'localhost';
  await checkAccessibility(page, {
    name: 'sign-in-other-address',
    path: `${other.origin}/sign-in?callbackUrl=%2Fdashboard%2Fkeys`,
    prepare: () => expect(page.getByText(`You opened it at ${other.origin}`)).toBeVisible(),
  });
  await page.getByRole('link', { name: `Sign in at ${own.origin}` }).click();
  await expect(page).toHaveURL(`${own.origin}/sign-in?callbackUrl=%2Fdashboard%2Fkeys`);
  await expect(page.getByText('This gateway has another address')).toBeHidden();
});

test('a link works once, and then says so', async ({ page, context }) => {
  const email = newEmail('once');
  const href = await getSignInLink(page, email);
  await checkAccessibility(page, { name: 'sign-in-confirm', path: href });
  await page.goto(href);
  await confirmSignIn(page);
  await expect(page).toHaveURL('/dashboard');
  await checkAccessibility(page, { name: 'sign-in-confirm-again', path: href });
  await expect(page.getByText(`you are signed in as ${email}.`)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Open the dashboard' })).toBeVisible();
  await context.clearCookies();
  await page.goto(href);
  await expect(page.getByText('This link no longer works')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in' })).toHaveCount(0);
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/sign-in/);
});

test('a link opened by a program first signs in no one and still works @F12', async ({ page, request }) => {
  const email = newEmail('scanned');
  const href = await getSignInLink(page, email);
  const { search } = new URL(href);
  for (const method of ['GET', 'HEAD'])
    for (const target of [href, `/api/auth/callback/email${search}`]) {
      const answer = await request.fetch(target, { method });
      expect(answer.status()).toBe(200);
      expect(new URL(answer.url()).pathname).toBe('/sign-in/confirm');
    }
  const { cookies } = await request.storageState();
  expect(cookies.filter(({ name }) => name.includes('session-token'))).toEqual([]);
  await page.goto(href);
  await expect(page.getByText(`This link signs you in as ${email}.`)).toBeVisible();
  await confirmSignIn(page);
  await expect(page).toHaveURL('/dashboard');
});

test('a link without its token shows an error', async ({ page }) => {
  await checkAccessibility(page, {
    name: 'sign-in-confirm-broken',
    path: '/sign-in/confirm?email=a%40example.com',
  });
  await expect(page.getByText('This link no longer works')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Request a new link' })).toBeVisible();
});

test('sign-in emails per address are limited per hour, and the response is always the same @F9', async ({
  page,
  request,
}) => {
  const email = newEmail('flooded');
  const ask = async (to: string) => {
    const { csrfToken } = await (await request.get('/api/auth/csrf')).json();
    const form = { email: to, csrfToken, callbackUrl: '/dashboard', json: 'true' };
    const answer = await request.post('/api/auth/signin/email', { form });
    return { status: answer.status(), text: await answer.text() };
  };
  const answers = [];
  for (let n = 0; n < 9; n++) answers.push(await ask(n % 2 ? email : email.replace('@', `+${n}@`)));
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  expect(await ask(newEmail('other'))).toEqual(answers[0]);
  await page.goto('/inbox');
  await expect(page.getByRole('article', { name: /, to flooded-/ })).toHaveCount(5);
});

test('an invalid address is reported at the field, and no email is sent', async ({ page }) => {
  await page.goto('/sign-in');
  await page.getByLabel('Email', { exact: true }).fill('nobody');
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
  await expect(page.getByLabel('Email', { exact: true })).toBeFocused();
  await expect(page.getByRole('alert').filter({ hasText: 'Enter a valid email address' })).toBeVisible();
});

test('the inbox is not shown under another host name', async ({ request }) => {
  expect((await request.get('/inbox')).status()).toBe(200);
  expect((await request.get('/inbox', { headers: { host: 'evil.example' } })).status()).toBe(404);
});

// components/shared/safe-path.test.ts has all the others.
for (const target of ['//evil.example/', '/\\evil.example/']) {
  test(`sign-in stays on this host: ${JSON.stringify(target)} @B17`, async ({ page }) => {
    await signInByEmail(page, newEmail('redirect'), `/sign-in?callbackUrl=${encodeURIComponent(target)}`);
    await expect(page.getByRole('link', { name: /^Tool Gateway\s*, home$/ }).first()).toBeVisible();
    expect(new URL(page.url()).origin).toBe(baseUrl());
  });
}

test('next-auth’s own redirect stays on this host too @B17', async ({ request }) => {
  for (const target of ELSEWHERE) {
    const response = await request.get(`/api/auth/signin?callbackUrl=${encodeURIComponent(target)}`, {
      maxRedirects: 0,
    });
    const location = new URL(response.headers().location ?? '/', baseUrl());
    expect(location.origin, target).toBe(baseUrl());
  }
});

test('the admin CLI’s sign-in link signs the operator in', async ({ page }) => {
  const { url } = await admin('sign-in-link');
  await page.goto(url);
  await confirmSignIn(page);
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await page.goto('/operator');
  await expect(page.getByRole('heading', { level: 1, name: 'Operator' })).toBeVisible();
});

test('signing out ends the session @B18', async ({ page }) => {
  await signIn(page, newEmail('out'));
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Account:' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page).toHaveURL('/');
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/sign-in/);
});

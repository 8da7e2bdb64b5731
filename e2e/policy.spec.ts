import type { Page } from 'playwright/test';
import { signUpPolicy } from '../db/schema/sign-up';
import { checkAccessibility } from './support/check-accessibility';
import { database } from './support/database';
import {
  baseUrl,
  callTool,
  confirmSignIn,
  createPerson,
  expect,
  newEmail,
  requestSignInLink,
  signIn,
  signInAsOperator,
  test,
} from './support/fixtures';
import { untilHydrated } from './support/hydration';
import { SUPPORT } from './support/worker-gateway';

/** Fills the open dialog, and submits it. */
async function submit(page: Page, fields: Record<string, string>, button: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label).fill(value);
  await dialog.getByRole('button', { name: button }).click();
  await expect(dialog).toBeHidden();
}

test('a promo code and a plan reach a person, and support only sees them', async ({
  page,
  newPage,
  request,
}) => {
  const { email, key } = await createPerson('redeemer', 0);
  const code = `SPRING-${process.pid}`;
  const plan = `Trial ${process.pid}`;
  await signInAsOperator(page);
  await page.goto('/operator/promos');
  await page.getByRole('button', { name: 'Create code' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Code').fill('OLD');
  await form.getByLabel('Credit').fill('5');
  await form.getByRole('button', { name: 'Create code' }).click();
  await expect(form.getByRole('alert').filter({ hasText: 'at least 4 characters' })).toBeInViewport();
  await expect(form.getByLabel('Code')).toBeFocused();
  await submit(page, { Code: code, Credit: '5', Note: 'for the fair' }, 'Create code');
  await expect(page.getByRole('cell', { name: '0 of 100' }).first()).toBeVisible();
  // On a phone, the action is at the end of the line of the code.
  await page.setViewportSize({ width: 390, height: 844 });
  const [title, action] = await Promise.all([
    page.getByRole('rowheader', { name: code }).boundingBox(),
    page.getByRole('row', { name: code }).getByRole('button', { name: 'Deactivate' }).boundingBox(),
  ]);
  expect(action?.y).toBeLessThan((title?.y ?? 0) + (title?.height ?? 0));
  await page.setViewportSize({ width: 1280, height: 800 });

  await page.goto('/operator/plans');
  await page.getByRole('button', { name: 'Create plan' }).click();
  await submit(page, { Name: plan, 'Calls per key per minute': '2' }, 'Create plan');
  await page.goto('/operator/accounts');
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(email);
  await page.getByRole('link', { name: email }).click();
  await page.getByRole('button', { name: 'Assign plan' }).click();
  await page.getByRole('dialog').getByLabel('Plan', { exact: true }).selectOption(plan);
  await submit(page, {}, 'Assign plan');
  await expect(page.getByText(`Plan ${plan}`)).toBeVisible();

  const person = await newPage();
  await signIn(person, email);
  await person.goto('/dashboard/billing');
  await person.getByRole('button', { name: 'Redeem a code' }).click();
  const dialog = person.getByRole('dialog');
  await dialog.getByLabel('Code').fill('WRONG-CODE');
  await dialog.getByRole('button', { name: 'Redeem code' }).click();
  await expect(dialog.getByText('This code does not exist, or has ended.')).toBeVisible();
  await submit(person, { Code: code.toLowerCase() }, 'Redeem code');
  await expect(person.getByText(`Promo code ${code}`)).toBeVisible();
  await expect(person.getByText('Available', { exact: true }).locator('..')).toContainText('$5.00');
  await person.goto('/dashboard/keys');
  await expect(person.getByText(`Calls of each key on plan ${plan}: 2 a minute`)).toBeVisible();

  for (let n = 0; n < 2; n++)
    expect((await callTool(request, key, 'echo', { message: 'x' })).status).toBe(200);
  const headers = { Authorization: `Bearer ${key}` };
  const data = { tool: 'diagnostics', skill: 'echo', input: { message: 'x' } };
  const refused = await request.post('/v1/tools/call', { headers, data });
  expect([refused.status(), refused.headers()['ratelimit-limit']]).toEqual([429, '2']);

  const support = await newPage();
  await signIn(support, SUPPORT);
  await support.goto('/operator/promos');
  await expect(support.getByText('Support', { exact: true })).toBeVisible();
  await expect(support.getByText('SP••••').first()).toBeVisible();
  await expect(support.getByText(code)).toHaveCount(0);
  await expect(support.getByRole('button', { name: /Create code|Deactivate/ })).toHaveCount(0);
  const act = await support.request.post('/api/trpc/operator.promos.deactivate', {
    headers: { origin: baseUrl() },
    data: { id: 'promo_1' },
  });
  expect([act.status(), await act.text()]).toEqual([403, expect.stringContaining('Your role is support')]);
});

test('the sign-up policy refuses an outsider in the inbox only, and admits an invited address', async ({
  page,
  newPage,
}) => {
  const outsider = newEmail('outsider');
  const invited = newEmail('invited');
  await signInAsOperator(page);
  await page.goto('/operator/sign-up');
  try {
    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog').getByLabel('Who may sign up').selectOption('By invitation');
    await submit(page, {}, 'Save');
    await expect(page.getByText('By invitation', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await submit(page, { 'Email address': invited }, 'Send invitation');

    const visitor = await newPage();
    await visitor.goto('/sign-in');
    await expect(visitor.getByText('New accounts need an invitation.')).toBeVisible();
    await requestSignInLink(visitor, outsider);
    await visitor.getByRole('link', { name: 'Open the local inbox' }).click();
    const refusal = visitor.getByRole('article', { name: `to ${outsider}` }).first();
    await expect(refusal).toContainText('You cannot sign up');
    await visitor.goto('/sign-in?error=SignUpRefused');
    await expect(visitor.getByText('new accounts need an invitation').first()).toBeVisible();
    await checkAccessibility(visitor, { name: 'sign-up-refused', path: '/sign-in?error=SignUpRefused' });

    await visitor.goto('/sign-in');
    await requestSignInLink(visitor, invited);
    await visitor.getByRole('link', { name: 'Open the local inbox' }).click();
    const mail = visitor.getByRole('article', { name: `to ${invited}` }).first();
    await mail.getByRole('link').click();
    await confirmSignIn(visitor);
    await expect(visitor).toHaveURL(/\/dashboard/);
    await page.reload();
    await expect(page.getByRole('row', { name: new RegExp(invited) })).toContainText('Used');
  } finally {
    await database().delete(signUpPolicy);
  }
});

test('single sign-on signs people in with a verified address only @F27', async ({ page, newPage }) => {
  const enter = async (at: Page, email: string, options: string[] = []) => {
    await at.goto('/sign-in');
    await untilHydrated(at);
    await at.getByRole('button', { name: 'Continue with Example ID' }).click();
    await expect(at.getByRole('heading', { name: 'Example ID' })).toBeVisible();
    await at.getByLabel('Email').fill(email);
    for (const option of options) await at.getByLabel(option).check();
    await at.getByRole('button', { name: 'Continue' }).click();
  };
  const email = newEmail('sso');
  await enter(page, email, ['Not verified']);
  await expect(page.getByText('did not confirm your email address')).toBeVisible();
  await enter(page, email, ['Wrong nonce']);
  await expect(page.getByText('returned an unexpected response')).toBeVisible();
  await enter(page, email);
  await expect(page).toHaveURL(/\/dashboard/);
  const session = await (await page.request.get('/api/auth/session')).json();
  expect(session.user).toMatchObject({ email, name: 'Person at work' });

  // The account of a person who has verified the address here.
  const known = newEmail('known');
  const person = await newPage();
  await signIn(person, known);
  await person.goto('/dashboard/keys');
  const other = await newPage();
  await enter(other, known);
  await expect(other).toHaveURL(/\/dashboard/);
});

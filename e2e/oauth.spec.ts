import { createHash, randomBytes } from 'node:crypto';
import type { APIRequestContext, Page } from 'playwright/test';
import { checkAccessibility } from './support/check-accessibility';
import {
  baseUrl,
  createPerson,
  expect,
  followLink,
  requestSignInLink,
  signIn,
  test,
} from './support/fixtures';
import { holdScripts } from './support/hydration';

/**
 * The redirect URI of a native application. Nothing listens there: the test intercepts the request.
 */
const REDIRECT = 'http://127.0.0.1:49333/callback';

/** A registered application with a PKCE verifier, before its authorization request. */
async function newApplication(request: APIRequestContext, name: string, redirectUri = REDIRECT) {
  const registered = await request.post('/oauth/register', {
    data: { client_name: name, redirect_uris: [redirectUri], token_endpoint_auth_method: 'none' },
  });
  expect(registered.status()).toBe(201);
  const clientId: string = (await registered.json()).client_id;
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state: 'its state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${baseUrl()}/mcp`,
  });
  return { clientId, verifier, path: `/oauth/authorize?${query}` };
}

/** The parameters with which the browser returned to the application. */
async function getRedirectParams(page: Page): Promise<URLSearchParams> {
  await page.waitForURL(`${REDIRECT}?*`);
  const answer = new URL(page.url()).searchParams;
  expect(answer.get('state')).toBe('its state');
  expect(answer.get('iss')).toBe(baseUrl());
  return answer;
}

async function exchange(
  request: APIRequestContext,
  { clientId, verifier }: { clientId: string; verifier: string },
  code: string,
): Promise<string> {
  const response = await request.post('/oauth/token', {
    form: { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier },
  });
  expect(response.status()).toBe(200);
  return (await response.json()).access_token;
}

/** One paid call over MCP, for ten cents. */
async function spendOverMcp(request: APIRequestContext, token: string) {
  return await request.post('/mcp', {
    headers: { Authorization: `Bearer ${token}`, Accept: 'application/json, text/event-stream' },
    data: {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'call_tool',
        arguments: { tool: 'diagnostics', skill: 'spend', input: { amount_usd: 0.1 } },
      },
    },
  });
}

test.beforeEach(async ({ page }) => {
  await page.route(`${REDIRECT}?*`, (route) =>
    route.fulfill({ body: 'The application received the response.' }),
  );
});

test('a signed-out person authorizes an application with a limit, sees it spend, and disconnects it', async ({
  page,
  request,
}) => {
  const { email } = await createPerson('consent', 2);
  const application = await newApplication(request, 'Desk Chat');
  await page.goto(application.path);
  await expect(page).toHaveURL(/\/sign-in/);
  await requestSignInLink(page, email);
  await followLink(page, email);

  const main = page.getByRole('main');
  await expect(page.getByRole('heading', { name: 'Connect this application?' })).toBeVisible();
  await expect(main).toContainText('“Desk Chat”');
  await expect(main).toContainText(email);
  await expect(main).toContainText('An application on this computer');
  await expect(main).toContainText('$2.00');
  // Input typed before hydration would be lost.
  await expect(page.getByRole('button', { name: 'Allow' })).toBeEnabled();
  await page.getByLabel('Credit limit').fill('lots');
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(main.getByRole('alert').filter({ hasText: 'enter an amount in dollars' })).toBeVisible();
  await page.getByLabel('Credit limit').fill('0.15');
  await page.getByRole('button', { name: 'Allow' }).click();
  const token = await exchange(request, application, String((await getRedirectParams(page)).get('code')));

  const first = await spendOverMcp(request, token);
  expect(first.status()).toBe(200);
  expect(await first.text()).toContain('success');
  expect(await (await spendOverMcp(request, token)).text()).toContain('INSUFFICIENT_CREDITS');

  await page.goto('/dashboard/settings');
  const list = page.getByRole('list', { name: 'Connected applications' });
  const line = list.getByRole('listitem').filter({ hasText: 'Desk Chat' });
  await expect(line).toContainText('$0.10 of $0.15 spent');
  await line.getByRole('button', { name: 'Limit for Desk Chat' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Credit limit').fill('1');
  await dialog.getByRole('button', { name: 'Save limit' }).click();
  await expect(line).toContainText('$0.10 of $1.10 spent');
  expect(await (await spendOverMcp(request, token)).text()).toContain('success');

  await line.getByRole('button', { name: 'Disconnect Desk Chat' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('No connected applications')).toBeVisible();
  await expect(page.getByText(`${baseUrl()}/mcp`)).toBeVisible();
  expect((await spendOverMcp(request, token)).status()).toBe(401);
  await page.goto('/dashboard/usage');
  await expect(page.getByRole('main')).toContainText('Desk Chat');
});

test('a limit typed while the page still loads is the one granted', async ({ page, request }) => {
  const { email } = await createPerson('early-limit', 2);
  await signIn(page, email);
  const application = await newApplication(request, 'Early Chat');
  const load = await holdScripts(page);
  const opening = page.goto(application.path);
  await page.getByLabel('Credit limit').fill('0.15');
  load();
  await opening;
  await page.getByRole('button', { name: 'Allow' }).click();
  const token = await exchange(request, application, String((await getRedirectParams(page)).get('code')));
  expect(await (await spendOverMcp(request, token)).text()).toContain('success');
  expect(await (await spendOverMcp(request, token)).text()).toContain('INSUFFICIENT_CREDITS');
});

test('denying is reported to the application and grants nothing', async ({ page, request }) => {
  const { email } = await createPerson('deny', 0);
  await signIn(page, email);
  const application = await newApplication(request, 'Unwanted');
  await page.goto(application.path);
  await page.getByRole('button', { name: 'Deny' }).click();
  const answer = await getRedirectParams(page);
  expect(answer.get('error')).toBe('access_denied');
  expect(answer.get('code')).toBeNull();
  await page.goto('/dashboard/settings');
  await expect(page.getByText('No connected applications')).toBeVisible();
});

test('an application’s name is shown as plain text, and an unregistered redirect URI is never followed @F34', async ({
  page,
  request,
}) => {
  const { email } = await createPerson('names', 0);
  await signIn(page, email);
  const script = '<img src=x onerror="window.ran = true"><b>Official</b>';
  const application = await newApplication(request, script);
  await page.goto(application.path);
  await expect(page.getByRole('main')).toContainText(`“${script}”`);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);

  const refused = await page.goto(
    application.path.replace(/redirect_uri=[^&]*/, 'redirect_uri=https%3A%2F%2Fevil.example%2F'),
  );
  expect(refused?.status()).toBe(400);
  await expect(page.getByRole('heading', { name: 'Invalid authorization request' })).toBeVisible();
  await expect(page.locator('a[href*="evil.example"]')).toHaveCount(0);

  const faulty = await page.goto(application.path.replace('S256', 'plain'));
  expect(faulty?.status()).toBe(400);
  await expect(page.getByRole('heading', { name: 'This request cannot be allowed' })).toBeVisible();
  await page.getByRole('link', { name: 'Return to the application' }).click();
  expect((await getRedirectParams(page)).get('error')).toBe('invalid_request');
});

test('the consent page and the connected applications pass the accessibility checks', async ({
  page,
  request,
}) => {
  const { email } = await createPerson('oauth-look', 12.5);
  await signIn(page, email);
  const application = await newApplication(request, 'Desk Chat');
  await page.goto(application.path);
  await page.getByRole('button', { name: 'Allow' }).click();
  await exchange(request, application, String((await getRedirectParams(page)).get('code')));
  const enabled = (shown: Page) => expect(shown.getByRole('button', { name: 'Allow' })).toBeEnabled();
  await checkAccessibility(page, { name: 'oauth-consent', path: application.path, prepare: enabled });
  await checkAccessibility(page, { name: 'oauth-faulty', path: application.path.replace('S256', 'plain') });
  await checkAccessibility(page, { name: 'oauth-connected', path: '/dashboard/settings' });
});

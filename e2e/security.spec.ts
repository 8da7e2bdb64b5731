import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright/test';
import { watchComplaints } from './support/complaints';
import { dashboardPaths, PUBLIC_PATHS } from './support/dashboard-pages';
import { baseUrl, createPerson, expect, secretIn, signIn, test } from './support/fixtures';
import { findInHeap } from './support/heap';

const FOREIGN = 'https://evil.example';

/** A missing page: the browser logs its 404 as a console error. */
const NOT_FOUND = '/no/such/page';

test('every page has its own Content-Security-Policy and no violations @B19', async ({ page, context }) => {
  const complaints = await watchComplaints(context);
  const { email } = await createPerson('policy', 5);
  await signIn(page, email);
  const nonces = new Set<string>();
  const paths = [...PUBLIC_PATHS.filter((path) => path !== NOT_FOUND), '/inbox', ...dashboardPaths()];
  for (const path of paths) nonces.add(await expectPolicy(page, path));
  expect(nonces.size).toBe(paths.length);
  expect(complaints).toEqual([]);
});

test('the 404 page has a policy too', async ({ page, context }) => {
  const complaints = await watchComplaints(context);
  await expectPolicy(page, NOT_FOUND);
  expect(complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
});

test('the complaints fixture detects a policy violation, a console error and an uncaught exception', async ({
  page,
  context,
}) => {
  const complaints = await watchComplaints(context);
  await page.goto('/');
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="window.ran = true">');
    console.error('an error in the console');
    setTimeout(() => {
      throw new Error('this error is uncaught');
    });
  });
  for (const part of ['Violation of script-src', 'an error in the console', 'this error is uncaught'])
    await expect.poll(() => complaints.join('\n')).toContain(part);
});

/** Opens a page and checks its headers and scripts. @returns the nonce of its policy */
async function expectPolicy(page: Page, path: string): Promise<string> {
  const response = await page.goto(path);
  await page.waitForLoadState('load');
  const headers = response?.headers() ?? {};
  const policy = headers['content-security-policy'] ?? '';
  const [, nonce] = /script-src 'self' 'nonce-([^']+)' 'strict-dynamic';/.exec(policy) ?? [];
  expect(nonce, `${path}: ${policy}`).toBeTruthy();
  expect(policy).not.toContain('unsafe-eval');
  for (const part of ["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'", "form-action 'self'"])
    expect(policy).toContain(part);
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'cache-control': expect.stringContaining('no-store'),
  });
  // Every script has this response's nonce, except data blocks, which never run.
  const html = (await response?.text()) ?? '';
  const bare = [...html.matchAll(/<script\b[^>]*>/g)].filter(
    ([tag]) => !tag.includes(`nonce="${nonce}"`) && !tag.includes('application/ld+json'),
  );
  expect(
    bare.map(([tag]) => tag),
    path,
  ).toEqual([]);
  expect(html.match(/\son[a-z]+="/g), path).toBeNull();
  return String(nonce);
}

test('a script injected into a page does not run, but would without the policy @C15', async ({ browser }) => {
  for (const guarded of [true, false]) {
    const context = await browser.newContext({ baseURL: baseUrl() });
    const page = await context.newPage();
    await page.route('**/tools', async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': policy, ...headers } = response.headers();
      const injected =
        '<script>window.ranInline = true</script><img src="data:," onerror="window.ranHandler = true">';
      const body = (await response.text()).replace('<main', `${injected}<main`);
      await route.fulfill({
        response,
        body,
        headers: guarded ? { ...headers, 'content-security-policy': String(policy) } : headers,
      });
    });
    await page.goto('/tools');
    await expect(page.getByRole('heading', { name: 'Catalogue' })).toBeVisible();
    // Nor does markup that the page's own script is made to insert.
    await page.evaluate(() => {
      const place = document.createElement('div');
      place.innerHTML =
        '<svg onload="window.ranWritten = true"></svg><img src="data:," onerror="window.ranWritten = true">';
      document.body.append(place);
    });
    const ran = () =>
      page.evaluate(() => ['ranInline', 'ranHandler', 'ranWritten'].filter((name) => name in window));
    await expect.poll(ran).toEqual(guarded ? [] : ['ranInline', 'ranHandler', 'ranWritten']);
    await context.close();
  }
});

/**
 * Responses to a cross-site POST with this person's cookie; lists every route that accepts POST.
 */
const REFUSALS: Record<string, { path: string; statuses: number[]; contentType?: string; body?: string }[]> =
  {
    'api/auth/[...nextauth]': [
      { path: '/api/auth/signout', statuses: [403] },
      { path: '/api/auth/signin/email', statuses: [403] },
    ],
    'api/trpc/[trpc]': [
      { path: '/api/trpc/keys.create', statuses: [403], body: '{"name":"stolen"}' },
      {
        path: '/api/trpc/keys.create',
        statuses: [403],
        contentType: 'text/plain',
        body: '{"name":"stolen"}',
      },
      { path: '/api/trpc/auth.deleteAccount', statuses: [403] },
    ],
    'dashboard/assets/upload': [{ path: '/dashboard/assets/upload', statuses: [403] }],
    'dashboard/playground/run': [{ path: '/dashboard/playground/run', statuses: [403] }],
    // Routes that ignore the session: they authenticate by key or signature, or not at all.
    'v1/[...path]': [
      { path: '/v1/keys', statuses: [401], body: '{"name":"stolen"}' },
      { path: '/v1/assets/upload', statuses: [401, 415], body: '{}' },
      { path: '/v1/tools/call', statuses: [401], body: '{"tool":"diagnostics","skill":"echo","input":{}}' },
    ],
    'api/v1/[...path]': [{ path: '/api/v1/keys', statuses: [404], body: '{}' }],
    // Routes for clients of any origin, which ignore the session too.
    'oauth/register': [{ path: '/oauth/register', statuses: [400], body: '{}' }],
    'oauth/token': [{ path: '/oauth/token', statuses: [400], body: '{}' }],
    'oauth/revoke': [{ path: '/oauth/revoke', statuses: [400], body: '{}' }],
    mcp: [
      {
        path: '/mcp',
        statuses: [403],
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_balance","arguments":{}}}',
      },
    ],
    'openapi.json': [{ path: '/openapi.json', statuses: [404, 405] }],
    metrics: [{ path: '/metrics', statuses: [404, 405] }],
    readyz: [{ path: '/readyz', statuses: [405] }],
    'api/stripe/webhook': [{ path: '/api/stripe/webhook', statuses: [400, 403, 404] }],
    // The fake Stripe, enabled only if the operator configured it.
    'fake-stripe/[[...path]]': [
      { path: '/fake-stripe/v1/checkout/sessions', statuses: [400, 401, 403, 404] },
    ],
  };

test('cross-site POST requests with the session cookie change nothing @B15 @B16', async ({
  page,
  request,
}) => {
  const { email } = await createPerson('csrf', 0);
  await signIn(page, email);
  await page.goto('/dashboard/keys');
  await expect(page.getByRole('row')).toHaveCount(2);
  const cookies = await page.context().cookies();
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  expect(postRoutes().sort()).toEqual(Object.keys(REFUSALS).sort());
  for (const { path, statuses, contentType = 'application/json', body } of Object.values(REFUSALS).flat()) {
    const headers = { Origin: FOREIGN, Cookie: cookie, 'Content-Type': contentType };
    const response = await request.post(path, { headers, data: body ?? '{}' });
    expect(statuses, `${path} answered ${response.status()}`).toContain(response.status());
    expect(response.headers()['access-control-allow-credentials']).toBeUndefined();
  }
  await page.reload();
  // Still signed in, and no key was created.
  await expect(page.getByRole('row')).toHaveCount(2);
});

/** The folders of routes that export POST. */
function postRoutes(): string[] {
  const app = fileURLToPath(new URL('../app', import.meta.url));
  return readdirSync(app, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(`${sep}route.ts`))
    .filter((name) => /export[^;]*\bPOST\b/.test(readFileSync(join(app, name), 'utf8')))
    .map((name) => name.slice(0, -`${sep}route.ts`.length).split(sep).join('/'));
}

test('a secret shown once is not stored anywhere afterwards @B4', async ({ page }) => {
  const { email } = await createPerson('once', 0);
  await signIn(page, email);
  const stored: string[] = [];
  page.on('response', (response) => {
    if (response.request().method() === 'POST') stored.push(response.headers()['cache-control'] ?? 'none');
  });
  await page.goto('/dashboard/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await secretIn(dialog);
  // Control: while it is shown, the search finds it.
  expect(await findInHeap(page, secret)).not.toEqual([]);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  await expectNowhere(page, secret);
  expect(stored.every((value) => value.includes('no-store'))).toBe(true);
  // Visit other pages and return: the router's cache must not hold it either.
  await page.getByRole('link', { name: 'Settings' }).first().click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  expect(await findInHeap(page, secret)).toEqual([]);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await expectNowhere(page, secret);
});

test('leaving the page with the dialog open discards the secret', async ({ page }) => {
  const { email } = await createPerson('left', 0);
  await signIn(page, email);
  await page.goto('/dashboard/keys?create=1');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const secret = await secretIn(dialog);
  await page.goto('/tools');
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible();
  await expectNowhere(page, secret);
});

/**
 * Asserts that it is not in the document, in URLs, or in anything the browser stores for this site.
 */
async function expectNowhere(page: Page, secret: string): Promise<void> {
  expect(await page.content()).not.toContain(secret);
  expect(page.url()).not.toContain(secret);
  const kept = await page.evaluate(async () => {
    const caches = await Promise.all(
      (await window.caches.keys()).map(async (name) => (await window.caches.open(name)).keys()),
    );
    const entries = performance.getEntries().map(({ name }) => name);
    return JSON.stringify([
      history.state,
      { ...localStorage },
      { ...sessionStorage },
      await indexedDB.databases(),
      caches.flat(),
      entries,
      document.cookie,
      window.name,
    ]);
  });
  expect(kept).not.toContain(secret);
}

test('Next’s image optimizer is disabled: it would decode untrusted files in this process', async ({
  request,
}) => {
  expect((await request.get('/_next/image')).status()).toBe(404);
});

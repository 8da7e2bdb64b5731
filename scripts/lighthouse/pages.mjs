// The pages that `npm run lighthouse` measures, and the person who sees them.

/** @typedef {{ name: string, path: string, isPublic?: boolean }} MeasuredPage */
/** @typedef {import('../../test/system/fixtures/gateway.ts').TestGateway} TestGateway */

/** In a path: the id of the person's key. */
const KEY = ':key';

/** @type {MeasuredPage[]} */
export const PAGES = [
  { name: 'landing', path: '/', isPublic: true },
  { name: 'tools', path: '/tools', isPublic: true },
  { name: 'tool', path: '/tools/diagnostics', isPublic: true },
  { name: 'pricing', path: '/pricing', isPublic: true },
  { name: 'docs', path: '/docs', isPublic: true },
  { name: 'guide', path: '/docs/quickstart', isPublic: true },
  { name: 'api-group', path: '/docs/api/calls', isPublic: true },
  { name: 'status', path: '/status', isPublic: true },
  { name: 'sign-in', path: '/sign-in' },
  { name: 'overview', path: '/dashboard' },
  { name: 'usage', path: '/dashboard/usage' },
  { name: 'errors', path: '/dashboard/usage/errors' },
  { name: 'refused', path: '/dashboard/usage/refused' },
  { name: 'keys', path: '/dashboard/keys' },
  { name: 'key', path: `/dashboard/keys/${KEY}` },
  { name: 'billing', path: '/dashboard/billing' },
  { name: 'jobs', path: '/dashboard/jobs' },
  { name: 'playground', path: '/dashboard/playground' },
  { name: 'team', path: '/dashboard/team' },
  { name: 'webhooks', path: '/dashboard/webhooks' },
  { name: 'settings', path: '/dashboard/settings' },
  { name: 'operator', path: '/operator' },
];

/** The person is the operator, so that one session sees all pages. */
export const EMAIL = 'lighthouse@e2e.test';
const CALLS = 30;
const JOBS = 3;
const FAILURES = 3;

/**
 * Creates the person, with credit, past calls, of which some failed or were refused, and jobs.
 * @param {TestGateway} gateway
 * @returns {Promise<(path: string) => string>} puts ids of the person's rows into a path
 */
export async function createPerson(gateway) {
  const made = await gateway.admin('account', 'create', '--email', EMAIL, '--credit-usd', '25');
  const call = (/** @type {string} */ skill, /** @type {object} */ input, prefer = 'wait=60') =>
    fetch(`${gateway.baseUrl}/v1/tools/call`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${made.api_key}`,
        'Content-Type': 'application/json',
        Prefer: prefer,
      },
      body: JSON.stringify({ tool: 'diagnostics', skill, input }),
    });
  for (let i = 0; i < CALLS; i++)
    await (i % 3 ? call('echo', { message: 'hello' }) : call('spend', { amount_usd: 0.01 * (i + 1) }));
  for (let i = 0; i < JOBS; i++) await call('spend', { amount_usd: 0.01 }, 'wait=0');
  for (let i = 0; i < FAILURES; i++) {
    await call('flaky', { mode: 'throw' });
    await call('echo', { text: 'hello' });
    await call('spend', { amount_usd: 99 });
  }
  return (path) => path.replace(KEY, made.key_id);
}

/**
 * @param {import('playwright').BrowserContext} context
 * @param {string} baseUrl
 */
export async function signIn(context, baseUrl) {
  const page = await context.newPage();
  await page.goto(`${baseUrl}/sign-in`);
  await page.getByLabel('Email', { exact: true }).fill(EMAIL);
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
  await page.getByRole('link', { name: 'Open the local inbox' }).click();
  await page
    .getByRole('article', { name: `to ${EMAIL}` })
    .first()
    .getByRole('link')
    .click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/dashboard/);
  await page.close();
}

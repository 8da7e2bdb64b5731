import {
  type APIRequestContext,
  type BrowserContext,
  test as base,
  expect,
  type Locator,
  type Page,
} from 'playwright/test';
import { runAdmin } from '../../test/system/fixtures/admin';
import { watchComplaints } from './complaints';
import { untilHydrated, waitForHydration } from './hydration';
import { workerGateway } from './worker-gateway';

/** The tag of the quick suite's tests: one per purpose of the product. */
const JOURNEY = '@journey';

const LAUNCH_MS = 45_000;
const ERRORS = ['uncaughtException', 'unhandledRejection'];

interface Fixtures {
  unhandledErrors: undefined;
  /** Opens a signed-out page in another person's browser context. */
  newPage: () => Promise<Page>;
}

/** Playwright's test on this worker's gateway. A journey also fails if a page logs a complaint. */
export const test = base.extend<Fixtures>({
  // On a busy machine a browser sometimes does not start.
  browser: [
    async ({ playwright, browserName }, use) => {
      const launch = () => playwright[browserName].launch({ timeout: LAUNCH_MS });
      const browser = await launch().catch(launch);
      await use(browser);
      await browser.close();
    },
    { scope: 'worker', timeout: 0 },
  ],
  // scripts/test.mjs does not try again after such an error.
  unhandledErrors: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from the pattern
    async ({}, use, testInfo) => {
      const annotate = () => void testInfo.annotations.push({ type: 'unhandled error' });
      for (const event of ERRORS) process.on(event, annotate);
      await use(undefined);
      for (const event of ERRORS) process.off(event, annotate);
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the required fixtures from the pattern
  baseURL: async ({}, use) => use(baseUrl()),
  context: async ({ context }, use, { tags }) => {
    const complaints = await watchComplaints(context);
    await use(context);
    if (tags.includes(JOURNEY)) expect(complaints).toEqual([]);
  },
  page: async ({ page }, use) => use(waitForHydration(page)),
  newPage: async ({ browser }, use, { tags }) => {
    const contexts: BrowserContext[] = [];
    const complaints: string[][] = [];
    await use(async () => {
      const context = await browser.newContext();
      contexts.push(context);
      complaints.push(await watchComplaints(context));
      return waitForHydration(await context.newPage());
    });
    await Promise.all(contexts.map((context) => context.close()));
    if (tags.includes(JOURNEY)) expect(complaints.flat()).toEqual([]);
  },
});
export {
  addCredit as giveCredit,
  chargeYesterday,
  createPerson,
  freezeAccount,
  newEmail,
  signIn,
  signInAsOperator,
} from './people';
export { expect };

/** The base URL of the gateway. */
export function baseUrl(): string {
  return workerGateway().baseUrl;
}

/** Runs an admin command on the gateway; returns its JSON output. */
export function admin(...args: string[]) {
  return runAdmin(workerGateway().env, args);
}

/** A key without sign-up, as an agent gets it. */
export async function provision(request: APIRequestContext): Promise<{ key: string; claimPath: string }> {
  const response = await request.post('/v1/auth/provision');
  expect(response.status()).toBe(201);
  const body = await response.json();
  const { pathname, search } = new URL(body.claim_url);
  return { key: body.api_key, claimPath: pathname + search };
}

/**
 * Calls a diagnostics skill as an agent does; `billing` charges another account than the key's own.
 */
export async function callTool(
  request: APIRequestContext,
  key: string,
  skill: 'echo' | 'spend' | 'flaky',
  input: object,
  billing?: string,
): Promise<{ status: number; body: { usage?: { cost: number }; error?: { code: string } } }> {
  const response = await request.post('/v1/tools/call', {
    headers: { Authorization: `Bearer ${key}` },
    data: { tool: 'diagnostics', skill, input, billing },
  });
  return { status: response.status(), body: await response.json() };
}

/** Signs in like a person: from the sign-in page, through the inbox, to where `from` leads. */
export async function signInByEmail(page: Page, email: string, from = '/sign-in'): Promise<void> {
  await page.goto(from);
  await requestSignInLink(page, email);
  await followLink(page, email);
}

/** Requests a sign-in link on the sign-in page. */
export async function requestSignInLink(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).waitFor();
  await untilHydrated(page);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
}

/** Opens the newest link for this address in the local inbox. */
export async function followLink(page: Page, email: string): Promise<void> {
  await page.getByRole('link', { name: 'Open the local inbox' }).click();
  const mail = page.getByRole('article', { name: `to ${email}` }).first();
  await mail.getByRole('link').click();
  await confirmSignIn(page);
}

/** Confirms on the page that a sign-in link leads to. */
export async function confirmSignIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await untilHydrated(page);
}

/** The API key that is shown once. */
export async function secretIn(place: Page | Locator): Promise<string> {
  const output = place.getByRole('status', { name: 'API key' });
  await expect(output).toHaveText(/^tg_live_[0-9A-Za-z]{38}$/);
  return (await output.textContent()) ?? '';
}

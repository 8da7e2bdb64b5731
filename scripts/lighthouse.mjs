// `npm run lighthouse`: measures pages of the production build with data. `-- 3` takes the median
// of three runs; `-- 1 tool` selects pages by name.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import lighthouse, { desktopConfig } from 'lighthouse';
import { chromium } from 'playwright';
import { tsImport } from 'tsx/esm/api';
import { removeTestFolder } from '../test/system/fixtures/test-folder.mjs';
import { build, isBuilt } from './build.mjs';

/** @typedef {{ name: string, path: string, isPublic?: boolean }} Measured */

/** The measured pages. @type {Measured[]} */
const PAGES = [
  { name: 'landing', path: '/', isPublic: true },
  { name: 'tool', path: '/tools/diagnostics', isPublic: true },
  { name: 'overview', path: '/dashboard' },
  { name: 'usage', path: '/dashboard/usage' },
];
const PRESETS = { mobile: undefined, desktop: desktopConfig };
const LEAST = { performance: 90, accessibility: 95, 'best-practices': 95, seo: 95 };
/** Only for public pages: the others are hidden from search engines. */
const ONLY_PUBLIC = 'seo';
const CALLS = 30;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test-results/lighthouse');
const [runs = '1', only = ''] = process.argv.slice(2);

if (!isBuilt()) {
  const code = await build();
  if (code !== 0) process.exit(code);
}
mkdirSync(folder, { recursive: true });
const { startGateway } = await tsImport('../test/system/fixtures/gateway.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});
const gateway = await startGateway();
const profile = mkdtempSync(join(tmpdir(), 'gateway-lighthouse-'));
/** @type {string[]} */
const failures = [];
try {
  const port = await freePort();
  const context = await openBrowser(port);
  await signIn(context, await makePerson());
  await measureAll(port);
  await context.close();
} finally {
  await gateway.stop();
  await removeTestFolder(profile);
}
if (failures.length > 0) {
  console.error(`\n${failures.join('\n')}`);
  process.exit(1);
}

/** Creates a person with credit and past calls. */
async function makePerson() {
  const email = 'lighthouse@e2e.test';
  const made = await gateway.admin('account', 'create', '--email', email, '--credit-usd', '25');
  for (let i = 0; i < CALLS; i++) {
    const [skill, input] = i % 3 ? ['echo', { message: 'hello' }] : ['spend', { amount_usd: 0.01 * (i + 1) }];
    await fetch(`${gateway.baseUrl}/v1/tools/call`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${made.api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tool: 'diagnostics', skill, input }),
    });
  }
  return email;
}

/**
 * Opens the tests' browser with its own profile, in which Lighthouse opens its tab, so it is signed
 * in.
 * @param {number} port
 */
async function openBrowser(port) {
  const { findBrowser, prepareBrowser } = await tsImport('../e2e/support/browser.ts', {
    parentURL: import.meta.url,
    tsconfig: `${root}tsconfig.json`,
  });
  prepareBrowser();
  const { args, ...options } = findBrowser();
  return chromium.launchPersistentContext(profile, {
    ...options,
    args: [...args, `--remote-debugging-port=${port}`],
  });
}

/**
 * @param {import('playwright').BrowserContext} context
 * @param {string} email
 */
async function signIn(context, email) {
  const page = await context.newPage();
  await page.goto(`${gateway.baseUrl}/sign-in`);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
  await page.getByRole('link', { name: 'Open the local inbox' }).click();
  await page
    .getByRole('article', { name: `to ${email}` })
    .first()
    .getByRole('link')
    .click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/dashboard/);
  await page.close();
}

/** @param {number} port */
async function measureAll(port) {
  const head = ['page', 'preset', ...Object.keys(LEAST), 'LCP ms', 'TBT ms', 'CLS'];
  const rows = [head];
  for (const page of PAGES.filter(({ name }) => name.includes(only)))
    for (const [preset, config] of Object.entries(PRESETS)) {
      const result = await measure(port, page, preset, config);
      if (!result) continue;
      rows.push(toRow(page, preset, result));
      failures.push(...listFailures(page, preset, result));
    }
  const table = rows.map((row) => row.map((cell) => cell.padEnd(16)).join('')).join('\n');
  writeFileSync(join(folder, 'table.txt'), `${table}\n`);
  console.log(`\n${table}`);
}

/**
 * @param {number} port
 * @param {Measured} page
 * @param {string} preset
 * @param {import('lighthouse').Config | undefined} config
 */
async function measure(port, { name, path }, preset, config) {
  const url = gateway.baseUrl + path;
  const results = [];
  for (let run = 0; run < Number(runs); run++) {
    /** @type {import('lighthouse').Flags} */
    const flags = { port, output: ['json', 'html'], logLevel: 'error', disableStorageReset: true };
    const result = await lighthouse(url, flags, config);
    if (!result) throw new Error(`Lighthouse returned no result for ${url}.`);
    const { runtimeError } = result.lhr;
    // Skip a page that does not exist.
    if (runtimeError?.code === 'ERRORED_DOCUMENT_REQUEST') {
      console.log(`${path} is not a page: ${runtimeError.message}`);
      return null;
    }
    results.push(result);
  }
  results.sort((a, b) => score(a, 'performance') - score(b, 'performance'));
  const median = results[Math.floor(results.length / 2)];
  const [json, html] = median?.report ?? [];
  writeFileSync(join(folder, `${name}-${preset}.json`), String(json));
  writeFileSync(join(folder, `${name}-${preset}.html`), String(html));
  return median;
}

/**
 * @param {Measured} page
 * @param {string} preset
 * @param {import('lighthouse').RunnerResult} result
 */
function toRow({ name, isPublic }, preset, result) {
  const scores = Object.keys(LEAST).map((category) =>
    category === ONLY_PUBLIC && !isPublic ? '-' : String(score(result, category)),
  );
  const { audits } = result.lhr;
  const value = (/** @type {string} */ id) => audits[id]?.numericValue ?? 0;
  const times = ['largest-contentful-paint', 'total-blocking-time'].map((id) => value(id).toFixed(0));
  return [name, preset, ...scores, ...times, value('cumulative-layout-shift').toFixed(3)];
}

/**
 * @param {Measured} page
 * @param {string} preset
 * @param {import('lighthouse').RunnerResult} result
 */
function listFailures({ name, isPublic }, preset, result) {
  return Object.entries(LEAST).flatMap(([category, least]) => {
    const reached = score(result, category);
    if (reached >= least || (category === ONLY_PUBLIC && !isPublic)) return [];
    const lost = (result.lhr.categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (result.lhr.audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${id} (${result.lhr.audits[id]?.displayValue ?? result.lhr.audits[id]?.title})`);
    return [`${name}, ${preset}: ${category} is ${reached}, below ${least}: ${lost.join(', ')}`];
  });
}

/**
 * @param {import('lighthouse').RunnerResult} result
 * @param {string} category
 */
function score(result, category) {
  return Math.round((result.lhr.categories[category]?.score ?? 0) * 100);
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

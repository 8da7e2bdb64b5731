// `npm run pictures`: takes the pictures of the README and the home page from a production build
// whose person has seeded calls of a month and real calls of today.
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import sharp from 'sharp';
import { tsImport } from 'tsx/esm/api';
import { build, isBuilt } from './build.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = `${root}components/site/pictures`;
const SIZE = { width: 1280, height: 860 };
const EMAIL = 'ada@example.com';
const SEEDED_CALLS = '40000';
const SEEDED_DAYS = '60';

/** @type {[tool: string, skill: string, input: object][]} */
const CALLS = [
  ['text', 'stats', { text: 'To be, or not to be, that is the question.' }],
  ['codes', 'qr', { text: 'https://example.com' }],
  ['math', 'evaluate', { expression: '6 * 7' }],
  ['document', 'markdown_to_pdf', { markdown: '# Report\n\nAll is well.' }],
  ['math', 'evaluate', { expression: '6 *' }],
];

if (!isBuilt()) {
  const code = await build();
  if (code !== 0) process.exit(code);
}
mkdirSync(FOLDER, { recursive: true });
const gateway = await importSource('../test/system/fixtures/gateway.ts').then((m) => m.startGateway());
try {
  await makeData();
  const { findBrowser, prepareBrowser } = await importSource('../e2e/support/browser.ts');
  prepareBrowser();
  const browser = await chromium.launch(findBrowser());
  const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: 1.5 });
  await signIn(page);
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.goto(`${gateway.baseUrl}/dashboard/usage`, { waitUntil: 'networkidle' });
    const picture = await page.screenshot();
    await sharp(picture).webp({ quality: 82 }).toFile(`${FOLDER}/usage-${scheme}.webp`);
    if (scheme === 'light')
      await sharp(picture).png({ palette: true }).toFile(`${root}docs/images/usage.png`);
  }
  await browser.close();
} finally {
  await gateway.stop();
}

/** @param {string} path */
function importSource(path) {
  return tsImport(path, { parentURL: import.meta.url, tsconfig: `${root}tsconfig.json` });
}

/** Creates the person, a month of seeded calls, and a few real ones. */
async function makeData() {
  const made = await gateway.admin('account', 'create', '--email', EMAIL, '--credit-usd', '50');
  await gateway.admin('usage', 'seed', '--email', EMAIL, '--rows', SEEDED_CALLS, '--days', SEEDED_DAYS);
  for (const [tool, skill, input] of CALLS) {
    const response = await fetch(`${gateway.baseUrl}/v1/tools/call`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${made.api_key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tool, skill, input }),
    });
    await response.arrayBuffer();
  }
}

/** @param {import('playwright').Page} page */
async function signIn(page) {
  await page.goto(`${gateway.baseUrl}/sign-in`);
  await page.getByLabel('Email', { exact: true }).fill(EMAIL);
  await page.getByRole('button', { name: 'Send me a sign-in link' }).click();
  await page.getByRole('link', { name: 'Open the local inbox' }).click();
  const email = page.getByRole('article', { name: `to ${EMAIL}` }).first();
  await email.getByRole('link').first().click();
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/dashboard/);
}

// `npm run lighthouse`: measures pages of the production build with data. `-- 3` takes the median
// of three runs, `-- 1 overview` measures one page, and `-- cpu` the CPU time of the main thread,
// also on a busy machine.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, devices } from 'playwright';
import { tsImport } from 'tsx/esm/api';
import { removeTestFolder } from '../test/system/fixtures/test-folder.mjs';
import { build, isBuilt } from './build.mjs';
import { measureMainThread } from './lighthouse/main-thread.mjs';
import { createPerson, EMAIL, PAGES, signIn } from './lighthouse/pages.mjs';
import { installOnDemand } from './on-demand.mjs';

/** @typedef {import('./lighthouse/pages.mjs').MeasuredPage} MeasuredPage */

/**
 * What is used of Lighthouse, which is not installed when types are checked.
 * @typedef {object} Audit
 * @property {number | null} score
 * @property {string} title
 * @property {string} [displayValue]
 * @property {number} [numericValue]
 */
/** @typedef {{ score: number | null, auditRefs: { id: string, weight: number }[] }} Category */
/**
 * @typedef {object} Report
 * @property {{ code: string, message: string }} [runtimeError]
 * @property {Record<string, Audit>} audits
 * @property {Record<string, Category>} categories
 */
/** @typedef {{ report: string[], lhr: Report }} RunnerResult */
/** @typedef {Promise<RunnerResult | undefined>} Measured */
/** @typedef {(url: string, flags: object, config?: object) => Measured} Measure */

const lighthouseFile = pathToFileURL(`${installOnDemand('lighthouse')}lighthouse/core/index.js`);
/** @type {{ default: Measure, desktopConfig: object }} */
const { default: lighthouse, desktopConfig } = await import(lighthouseFile.href);
const PRESETS = { mobile: undefined, desktop: desktopConfig };
const COMPLETE = { accessibility: 100, 'best-practices': 100, seo: 100 };
/** The lowest accepted scores. @type {Record<string, Record<string, number>>} */
const LEAST = {
  mobile: { performance: 90, ...COMPLETE },
  desktop: { performance: 95, ...COMPLETE },
};
/** Only for public pages: the others are hidden from search engines. */
const ONLY_PUBLIC = 'seo';
const CPU_RUNS = 5;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'test-results/lighthouse');
const [mode = '1', only = ''] = process.argv.slice(2);
let pages = PAGES.filter(({ name }) => (only === '' ? true : name === only));
if (pages.length === 0) {
  console.error(`Unknown page “${only}”. Pages: ${PAGES.map(({ name }) => name).join(', ')}.`);
  process.exit(2);
}

if (!isBuilt()) {
  const code = await build();
  if (code !== 0) process.exit(code);
}
mkdirSync(folder, { recursive: true });
const { startGateway } = await tsImport('../test/system/fixtures/gateway.ts', {
  parentURL: import.meta.url,
  tsconfig: `${root}tsconfig.json`,
});
const gateway = await startGateway({ OPERATOR_EMAIL: EMAIL });
const profile = mkdtempSync(join(tmpdir(), 'gateway-lighthouse-'));
/** @type {string[]} */
const failures = [];
try {
  const withIds = await createPerson(gateway);
  pages = pages.map((page) => ({ ...page, path: withIds(page.path) }));
  if (mode === 'cpu') await measureCpu();
  else await measureScores();
} finally {
  await gateway.stop();
  await removeTestFolder(profile);
}
if (failures.length > 0) {
  console.error(`\n${failures.join('\n')}`);
  process.exit(1);
}

async function measureScores() {
  const port = await freePort();
  // Lighthouse opens its tab in this profile, so it is signed in.
  const { args, ...options } = await findTestBrowser();
  const context = await chromium.launchPersistentContext(profile, {
    ...options,
    args: [...args, `--remote-debugging-port=${port}`],
  });
  await signIn(context, gateway.baseUrl);
  await measureAll(port);
  await context.close();
}

/** Prints the median of the CPU times of each page. */
async function measureCpu() {
  const browser = await chromium.launch(await findTestBrowser());
  const first = await browser.newContext();
  await signIn(first, gateway.baseUrl);
  const storageState = await first.storageState();
  await first.close();
  const rows = [['page', 'longest ms', 'total ms', 'blocking ms']];
  for (const { name, path } of pages) {
    /** @type {Awaited<ReturnType<typeof measureMainThread>>[]} */
    const results = [];
    for (let run = 0; run < CPU_RUNS; run++) {
      const context = await browser.newContext({ ...devices['Moto G Power'], storageState });
      results.push(await measureMainThread(browser, context, gateway.baseUrl + path));
      await context.close();
    }
    const median = (/** @type {'longestMs' | 'totalMs' | 'blockingMs'} */ field) =>
      results.map((result) => result[field]).sort((a, b) => a - b)[Math.floor(CPU_RUNS / 2)] ?? 0;
    const values = [median('longestMs'), median('totalMs'), median('blockingMs')];
    rows.push([name, ...values.map((value) => value.toFixed(0))]);
  }
  await browser.close();
  saveTable('cpu.txt', rows);
}

async function findTestBrowser() {
  const { findBrowser, prepareBrowser } = await tsImport('../e2e/support/browser.ts', {
    parentURL: import.meta.url,
    tsconfig: `${root}tsconfig.json`,
  });
  prepareBrowser();
  return findBrowser();
}

/**
 * @param {string} file
 * @param {string[][]} rows
 */
function saveTable(file, rows) {
  const table = rows.map((row) => row.map((cell) => cell.padEnd(16)).join('')).join('\n');
  writeFileSync(join(folder, file), `${table}\n`);
  console.log(`\n${table}`);
}

/** @param {number} port */
async function measureAll(port) {
  const head = ['page', 'preset', 'performance', ...Object.keys(COMPLETE), 'LCP ms', 'TBT ms', 'CLS'];
  const rows = [head];
  for (const page of pages)
    for (const [preset, config] of Object.entries(PRESETS)) {
      const result = await measure(port, page, preset, config);
      if (!result) continue;
      rows.push(toRow(page, preset, result));
      failures.push(...listFailures(page, preset, result));
    }
  saveTable('table.txt', rows);
}

/**
 * @param {number} port
 * @param {MeasuredPage} page
 * @param {string} preset
 * @param {object | undefined} config
 */
async function measure(port, { name, path }, preset, config) {
  const url = gateway.baseUrl + path;
  const results = [];
  for (let run = 0; run < Number(mode); run++) {
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
 * @param {MeasuredPage} page
 * @param {string} preset
 * @param {RunnerResult} result
 */
function toRow({ name, isPublic }, preset, result) {
  const scores = ['performance', ...Object.keys(COMPLETE)].map((category) =>
    category === ONLY_PUBLIC && !isPublic ? '-' : String(score(result, category)),
  );
  const { audits } = result.lhr;
  const value = (/** @type {string} */ id) => audits[id]?.numericValue ?? 0;
  const times = ['largest-contentful-paint', 'total-blocking-time'].map((id) => value(id).toFixed(0));
  return [name, preset, ...scores, ...times, value('cumulative-layout-shift').toFixed(3)];
}

/**
 * @param {MeasuredPage} page
 * @param {string} preset
 * @param {RunnerResult} result
 */
function listFailures({ name, isPublic }, preset, result) {
  return Object.entries(LEAST[preset] ?? {}).flatMap(([category, least]) => {
    const reached = score(result, category);
    if (reached >= least || (category === ONLY_PUBLIC && !isPublic)) return [];
    const lost = (result.lhr.categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (result.lhr.audits[id]?.score ?? 1) < 0.9)
      .map(({ id }) => `${id} (${result.lhr.audits[id]?.displayValue ?? result.lhr.audits[id]?.title})`);
    return [`${name}, ${preset}: ${category} is ${reached}, below ${least}: ${lost.join(', ')}`];
  });
}

/**
 * @param {RunnerResult} result
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

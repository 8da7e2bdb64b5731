import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, BrowserContext } from 'playwright/test';
import { PLACES } from '../components/operator/places';
import { dashboardPaths, PUBLIC_PATHS } from './support/dashboard-pages';
import { baseUrl, callTool, createPerson, expect, signIn, signInAsOperator, test } from './support/fixtures';

/** Compressed JavaScript of a page at its first load: the bodies, as they are on the wire. */
const MOST_BYTES = 180_000;
/** No script for so long after the load: what comes later comes because somebody did something. */
const QUIET_MS = 1_000;

const OPERATOR_PATHS = PLACES.map(({ href }) => href);

interface Weight {
  path: string;
  /** All scripts that came, those that were fetched ahead for other pages included. */
  bytes: number;
  /** Those that the page's own HTML names. */
  ownBytes: number;
  files: number;
  layoutShift: number;
}

test('no page sends more JavaScript than it may, and none moves while it loads', async ({
  browser,
  page,
  request,
}) => {
  const { email, key } = await createPerson('weight', 25);
  for (const usd of [0.001, 0.25, 1]) await callTool(request, key, 'spend', { amount_usd: usd });
  await signIn(page, email);
  await page.goto('/dashboard/keys');
  const keyPath = await page.getByRole('table').getByRole('link').first().getAttribute('href');
  const state = await page.context().storageState();
  const weights: Weight[] = [];
  for (const path of [...dashboardPaths(), String(keyPath), ...PUBLIC_PATHS.slice(0, 6)])
    weights.push(await weigh(browser, state, path));
  await signInAsOperator(page);
  const operator = await page.context().storageState();
  for (const path of OPERATOR_PATHS) weights.push(await weigh(browser, operator, path));
  keepTable(weights);
  for (const { path, bytes, layoutShift } of weights) {
    expect.soft(bytes, `${path}: bytes of scripts`).toBeLessThanOrEqual(MOST_BYTES);
    expect.soft(layoutShift, `${path}: layout shift`).toBeLessThan(0.01);
  }
});

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Opens it with an empty cache. */
async function weigh(browser: Browser, storageState: State, path: string): Promise<Weight> {
  const context = await browser.newContext({ storageState, baseURL: baseUrl() });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  const scripts = new Map<string, string>();
  const sizes = new Map<string, number>();
  const headers = new Map<string, number>();
  let last = Date.now();
  network.on('Network.responseReceived', ({ requestId, response, type }) => {
    const name = new URL(response.url).pathname;
    if (type !== 'Script' && !name.endsWith('.js')) return;
    scripts.set(requestId, name);
    headers.set(requestId, response.encodedDataLength);
    last = Date.now();
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    sizes.set(requestId, encodedDataLength),
  );
  await page.addInitScript(watchShifts);
  const response = await page.goto(path);
  expect(response?.status(), path).toBe(200);
  await page.waitForLoadState('load');
  // By itself it would look after 1.85 s, of which the last is for nothing.
  await expect(() => expect(Date.now() - last).toBeGreaterThan(QUIET_MS)).toPass({ intervals: [50] });
  const html = (await response?.text()) ?? '';
  const layoutShift = await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
  await context.close();
  const all = [...scripts].map(([id, name]) => ({
    name,
    bytes: (sizes.get(id) ?? 0) - (headers.get(id) ?? 0),
  }));
  const own = all.filter(({ name }) => html.includes(name));
  return { path, bytes: sum(all), ownBytes: sum(own), files: all.length, layoutShift };
}

/** In the page: adds up what moved without anybody having done something. */
function watchShifts(): void {
  let total = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[])
      if (!entry.hadRecentInput) total += entry.value;
    document.documentElement.dataset.shift = String(total);
  }).observe({ type: 'layout-shift', buffered: true });
}

function sum(files: { bytes: number }[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

function keepTable(weights: Weight[]): void {
  const lines = weights.map(
    ({ path, bytes, ownBytes, files, layoutShift }) =>
      `${path.padEnd(44)}${(bytes / 1000).toFixed(1).padStart(9)}${(ownBytes / 1000).toFixed(1).padStart(9)}${String(files).padStart(7)}${layoutShift.toFixed(4).padStart(9)}`,
  );
  const head = `${'page'.padEnd(44)}${'all kB'.padStart(9)}${'own kB'.padStart(9)}${'files'.padStart(7)}${'shift'.padStart(9)}`;
  const table = [head, ...lines].join('\n');
  mkdirSync('test-results', { recursive: true });
  writeFileSync('test-results/weight.txt', `${table}\n`);
  console.log(`\n${table}\n`);
}

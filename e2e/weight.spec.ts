import { mkdirSync, writeFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright/test';
import { PLACES } from '../components/operator/places';
import { dashboardPaths, PUBLIC_PATHS } from './support/dashboard-pages';
import { callTool, createPerson, expect, signIn, signInAsOperator, test } from './support/fixtures';

/** Limit of compressed JavaScript on a page's first load, measured on the wire. */
const MOST_BYTES = 180_000;
/** Number of consecutive idle turns required: later requests need an interaction. */
const IDLE_TURNS = 5;

const OPERATOR_PATHS = PLACES.map(({ href }) => href);

interface Weight {
  path: string;
  /** All loaded scripts, including those prefetched for other pages. */
  bytes: number;
  /** The scripts named in the page's own HTML. */
  ownBytes: number;
  files: number;
  layoutShift: number;
}

const TITLE = 'no page exceeds the JavaScript limit or shifts its layout while loading';

test(`${TITLE}: public pages`, async ({ browser }) => {
  expectWithinLimits('public', await weighAll(browser, undefined, PUBLIC_PATHS.slice(0, 6)));
});

test(`${TITLE}: the dashboard`, async ({ browser, page, request }) => {
  const { email, key } = await createPerson('weight', 25);
  for (const usd of [0.001, 0.25, 1]) await callTool(request, key, 'spend', { amount_usd: usd });
  await signIn(page, email);
  await page.goto('/dashboard/keys');
  const keyPath = await page.getByRole('table').getByRole('link').first().getAttribute('href');
  const state = await page.context().storageState();
  expectWithinLimits(
    'dashboard',
    await weighAll(browser, state, [
      ...dashboardPaths(),
      '/dashboard/usage/errors',
      '/dashboard/usage/refused',
      String(keyPath),
    ]),
  );
});

test(`${TITLE}: the operator’s pages`, async ({ browser, page }) => {
  await signInAsOperator(page);
  expectWithinLimits(
    'operator',
    await weighAll(browser, await page.context().storageState(), OPERATOR_PATHS),
  );
});

test('headings and code have the shipped fonts, preloaded, at most 120 kB, without a layout shift', async ({
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(watchShifts);
  await page.goto('/docs/errors');
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const preloaded = await page
    .locator('link[rel=preload][as=font]')
    .evaluateAll((links) => links.map((link) => (link as HTMLLinkElement).href));
  expect(preloaded).toHaveLength(2);
  await expect.poll(async () => (await listFonts(page)).length).toBe(2);
  const files = await listFonts(page);
  expect(files.map(({ name }) => name).sort()).toEqual(preloaded.sort());
  expect(sum(files)).toBeLessThanOrEqual(120_000);
  await page.evaluate(waitUntilIdle);
  expect(await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0))).toBe(0);
  // A font that arrives too late is used from the next page on; a busy machine may need some pages.
  await expect(async () => {
    await page.reload();
    expect(await readFont(page, 'h1')).toBe('Inter');
    expect(await readFont(page, 'main pre code, main code')).toBe('JetBrains Mono');
  }).toPass();
  await context.close();
});

/** The fonts a page has loaded. */
async function listFonts(page: Page): Promise<{ name: string; bytes: number }[]> {
  return await page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.endsWith('.woff2'))
      .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize })),
  );
}

/** The font that draws the first element that matches. */
async function readFont(page: Page, selector: string): Promise<string | undefined> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  return fonts[0]?.familyName;
}

function expectWithinLimits(name: string, weights: Weight[]): void {
  saveTable(name, weights);
  for (const { path, bytes, layoutShift } of weights) {
    expect.soft(bytes, `${path}: bytes of scripts`).toBeLessThanOrEqual(MOST_BYTES);
    expect.soft(layoutShift, `${path}: layout shift`).toBeLessThan(0.01);
  }
}

async function weighAll(
  browser: Browser,
  state: State | undefined,
  paths: readonly string[],
): Promise<Weight[]> {
  const weights: Weight[] = [];
  for (const path of paths) weights.push(await weigh(browser, state, path));
  return weights;
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Loads a page with an empty cache. */
async function weigh(browser: Browser, storageState: State | undefined, path: string): Promise<Weight> {
  const context = await browser.newContext(storageState && { storageState });
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  const scripts = new Map<string, string>();
  const sizes = new Map<string, number>();
  const headers = new Map<string, number>();
  const underway = new Set<string>();
  network.on('Network.requestWillBeSent', ({ requestId, type }) => {
    // The page's event stream stays open.
    if (type !== 'EventSource') underway.add(requestId);
  });
  network.on('Network.loadingFailed', ({ requestId }) => underway.delete(requestId));
  network.on('Network.responseReceived', ({ requestId, response, type }) => {
    const name = new URL(response.url).pathname;
    if (type !== 'Script' && !name.endsWith('.js')) return;
    scripts.set(requestId, name);
    headers.set(requestId, response.encodedDataLength);
  });
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    underway.delete(requestId);
    sizes.set(requestId, encodedDataLength);
  });
  await page.addInitScript(watchShifts);
  const response = await page.goto(path);
  expect(response?.status(), path).toBe(200);
  await page.waitForLoadState('load');
  for (let idle = 0; idle < IDLE_TURNS; ) {
    await page.evaluate(waitUntilIdle);
    idle = underway.size === 0 ? idle + 1 : 0;
  }
  const html = (await response?.text()) ?? '';
  const layoutShift = await page.evaluate(() => Number(document.documentElement.dataset.shift ?? 0));
  // First, because closing a page that a session watches has kept the browser busy for minutes.
  await network.detach();
  await context.close();
  const all = [...scripts].map(([id, name]) => ({
    name,
    bytes: (sizes.get(id) ?? 0) - (headers.get(id) ?? 0),
  }));
  const own = all.filter(({ name }) => html.includes(name));
  return { path, bytes: sum(all), ownBytes: sum(own), files: all.length, layoutShift };
}

/** Runs in the page: resolves when it has rendered and is idle. */
async function waitUntilIdle(): Promise<void> {
  await new Promise(requestAnimationFrame);
  await new Promise((done) => requestIdleCallback(done));
}

/** Runs in the page: sums layout shifts without user input. */
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

function saveTable(name: string, weights: Weight[]): void {
  const lines = weights.map(
    ({ path, bytes, ownBytes, files, layoutShift }) =>
      `${path.padEnd(44)}${(bytes / 1000).toFixed(1).padStart(9)}${(ownBytes / 1000).toFixed(1).padStart(9)}${String(files).padStart(7)}${layoutShift.toFixed(4).padStart(9)}`,
  );
  const head = `${'page'.padEnd(44)}${'all kB'.padStart(9)}${'own kB'.padStart(9)}${'files'.padStart(7)}${'shift'.padStart(9)}`;
  const table = [head, ...lines].join('\n');
  mkdirSync('test-results', { recursive: true });
  writeFileSync(`test-results/weight-${name}.txt`, `${table}\n`);
}

// The process that drives the browser. Apart from the gateway, because screenshots come as messages of many megabytes, whose
// reading would hold up every other call; and because it has none of the gateway's environment.
import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { chromium } from 'playwright-core';

/** @typedef {import('./browser').HostTask} HostTask */
/** @typedef {import('./browser').HostAnswer} HostAnswer */

const LOAD_MS = 30_000;
/** What pages still load after that is not waited for. */
const SETTLE_MS = 10_000;
const MAX_PAGE_HEIGHT = 16_000;
const MAX_PIXELS = 60_000_000;
const MAX_TITLE = 500;
/** Where HTML is that a caller sent: a host that never exists. */
const HTML_ADDRESS = 'http://html.invalid/';

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let launched;
/** @type {Map<number, { stopped: boolean, context?: import('playwright-core').BrowserContext }>} */
const running = new Map();

process.on('disconnect', async () => {
  await launched?.then((browser) => browser.close()).catch(() => undefined);
  const folder = process.argv[2];
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.exit();
});

process.on('message', async (/** @type {HostTask | { stop: number }} */ message) => {
  if ('stop' in message) {
    const task = running.get(message.stop);
    if (task) task.stopped = true;
    await task?.context?.close().catch(() => undefined);
    return;
  }
  const answer = await render(message);
  running.delete(message.id);
  if (process.connected) process.send?.(answer);
});

/** @param {HostTask['launch']} options */
async function launch({ executablePath, proxyPort, sandbox }) {
  const proxy = `127.0.0.1:${proxyPort}`;
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: sandbox,
    // Pages come by way of the proxy or not at all: loopback too, no name is resolved here, and nothing goes by UDP.
    proxy: { server: `http://${proxy}`, bypass: '<-loopback>' },
    args: [
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--webrtc-ip-handling-policy=disable_non_proxied_udp',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
    ],
  });
  browser.on('disconnected', () => {
    launched = undefined;
  });
  return browser;
}

/** @param {HostTask} task @returns {Promise<HostAnswer>} */
async function render({ id, launch: options, limitMs, request, proxy }) {
  /** @type {{ stopped: boolean, context?: import('playwright-core').BrowserContext }} */
  const state = { stopped: false };
  running.set(id, state);
  /** @type {string | undefined} */
  let failedUrl;
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    void state.context?.close().catch(() => undefined);
  }, limitMs);
  try {
    launched ??= launch(options);
    const browser = await launched.catch((error) => {
      launched = undefined;
      throw new Error(`The browser does not start: ${String(error).slice(0, 2_000)}`);
    });
    const context = await browser.newContext({
      viewport: { width: request.width, height: request.height },
      deviceScaleFactor: request.scale,
      colorScheme: request.dark ? 'dark' : 'light',
      serviceWorkers: 'block',
      acceptDownloads: false,
      proxy: { server: `http://127.0.0.1:${options.proxyPort}`, bypass: '<-loopback>', ...proxy },
    });
    state.context = context;
    if (state.stopped || late) throw new Error('Stopped');
    const page = await context.newPage();
    context.on('page', (other) => void (other === page || other.close().catch(() => undefined)));
    page.on('requestfailed', (failed) => {
      if (failed.isNavigationRequest() && failed.frame() === page.mainFrame()) failedUrl = failed.url();
    });
    const status = await open(page, request);
    const value = await draw(page, request);
    return {
      id,
      ok: true,
      value: { ...value, status, url: page.url(), title: (await page.title()).slice(0, MAX_TITLE) },
    };
  } catch (error) {
    if (late)
      return {
        id,
        ok: false,
        message: 'The page could not be drawn: it takes too much time.',
        expected: true,
      };
    return { id, ok: false, ...reasonOf(error), ...(failedUrl === undefined ? {} : { failedUrl }) };
  } finally {
    clearTimeout(limit);
    await state.context?.close().catch(() => undefined);
  }
}

/** What the caller can do something about. */
class Expected extends Error {}

/**
 * @param {import('playwright-core').Page} page
 * @param {HostTask['request']} request
 */
async function open(page, request) {
  // Of other schemes, files of this machine first of all, nothing is loaded.
  await page.route(
    ({ protocol }) => !/^(https?|data|blob|about):$/.test(protocol),
    (route) => route.abort(),
  );
  let status = null;
  if (request.url !== undefined) {
    const response = await page.goto(request.url, { waitUntil: 'domcontentloaded', timeout: LOAD_MS });
    status = response?.status() ?? null;
  } else {
    // As an answer, not by setContent: in a blank page pictures are not loaded.
    const body = request.html ?? '';
    await page.route(HTML_ADDRESS, (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
    );
    await page.goto(HTML_ADDRESS, { waitUntil: 'domcontentloaded', timeout: LOAD_MS });
  }
  await page.waitForLoadState('load', { timeout: SETTLE_MS }).catch(ignoreTimeout);
  if (request.waitFor !== undefined) {
    await page.waitForSelector(request.waitFor, { timeout: SETTLE_MS }).catch((error) => {
      const late = error?.name === 'TimeoutError';
      throw new Expected(
        late
          ? `wait_for: no element ${request.waitFor} appeared within ${SETTLE_MS / 1000} s.`
          : `wait_for: this is no CSS selector.`,
      );
    });
  }
  if (request.delayMs > 0) await page.waitForTimeout(request.delayMs);
  return status;
}

/** @param {any} error */
function ignoreTimeout(error) {
  if (error?.name !== 'TimeoutError') throw error;
}

/**
 * @param {import('playwright-core').Page} page
 * @param {HostTask['request']} request
 */
async function draw(page, { output, path, width, height, scale }) {
  if (output.kind === 'pdf') {
    const { margin, landscape, background: printBackground, format } = output;
    await page.pdf({
      path,
      format,
      landscape,
      printBackground,
      margin: { top: margin, right: margin, bottom: margin, left: margin },
    });
    return { width: null, height: null, truncated: false, sizeBytes: (await stat(path)).size };
  }
  const { fullPage, type, quality } = output;
  // By the browser's own layout, not by the page's word for it.
  const session = await page.context().newCDPSession(page);
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const whole = fullPage ? Math.max(height, Math.ceil(cssContentSize.height)) : height;
  const most = Math.min(MAX_PAGE_HEIGHT, Math.floor(MAX_PIXELS / (width * scale * scale)));
  const drawn = Math.min(whole, most);
  await page.screenshot({
    path,
    type,
    ...(type === 'png' ? {} : { quality }),
    ...(fullPage ? { fullPage, clip: { x: 0, y: 0, width, height: drawn } } : {}),
    animations: 'disabled',
    timeout: LOAD_MS,
  });
  return {
    width: Math.round(width * scale),
    height: Math.round(drawn * scale),
    truncated: drawn < whole,
    sizeBytes: (await stat(path)).size,
  };
}

/** @param {any} error @returns {{ message: string, expected: boolean }} */
function reasonOf(error) {
  if (error instanceof Expected) return { message: error.message, expected: true };
  const text = String(error?.message ?? error);
  if (/Download is starting/.test(text))
    return { message: 'The address is a download, not a page.', expected: true };
  const code = /net::(ERR_[A-Z0-9_]+)/.exec(text)?.[1];
  if (code) return { message: `The page could not be loaded (${code}).`, expected: true };
  if (error?.name === 'TimeoutError')
    return { message: 'The page did not load within 30 s.', expected: true };
  return { message: text.slice(0, 2_000), expected: false };
}

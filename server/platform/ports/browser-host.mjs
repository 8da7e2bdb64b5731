// The process that drives the browser. It is separate because parsing screenshots of many megabytes
// would block other calls, and because it must not have the gateway's environment.
import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { captureWithRetry } from './capture-with-retry.mjs';

/** @typedef {import('./browser').HostTask} HostTask */
/** @typedef {import('./browser').HostResponse} HostResponse */
/**
 * @typedef {{ stopped: boolean, stop?: () => void, context?:
 *   import('playwright-core').BrowserContext, page?: import('playwright-core').Page }} Running
 */

const LOAD_MS = 30_000;
/** How long to wait for resources that a page still loads. */
const SETTLE_MS = 10_000;
const MAX_PAGE_HEIGHT = 16_000;
const MAX_PIXELS = 60_000_000;
const MAX_TITLE = 500;
/** Of the scripts of one page; process-tree-watch.ts limits the whole process tree. */
const PAGE_HEAP_MIB = 512;
/** If a page does not close within this time, its browser is closed. */
const CLOSE_MS = 5_000;
const TOO_MUCH_MEMORY = 'The page could not be drawn: it takes too much memory.';
const TOO_MUCH_TIME = 'The page could not be drawn: it takes too much time.';
/**
 * Whether each try to start the browser uses Chromium's sandbox. The last repeats the one before.
 * @type {Record<HostTask['launch']['sandbox'], boolean[]>}
 */
const TRIES = { required: [true, true], preferred: [true, false, false], off: [false, false] };
/** The address under which a caller's HTML is served: a host that never exists. */
const HTML_ADDRESS = 'http://html.invalid/';

/** @type {Promise<import('playwright-core').Browser> | undefined} */
let launched;
/** @type {Map<number, Running>} */
const running = new Map();
/** @type {Promise<void>} the last of the pages that are drawn again, one at a time */
let alone = Promise.resolve();

// A promise that playwright leaves unhandled must not end the pages of other calls.
process.on('unhandledRejection', () => undefined);

process.on('disconnect', async () => {
  await launched?.then((browser) => browser.close()).catch(() => undefined);
  const folder = process.argv[2];
  if (folder) rmSync(folder, { recursive: true, force: true });
  process.exit();
});

process.on('message', (/** @type {HostTask | { stop: number }} */ message) => {
  try {
    if ('stop' in message) stop(message.stop);
    else answer(message).catch(() => process.exit(1));
  } catch {
    process.exit(1);
  }
});

/** @param {HostTask} task */
async function answer(task) {
  const sent = await renderAgain(task);
  running.delete(task.id);
  if (process.connected) process.send?.(sent);
}

/** @param {number} id */
function stop(id) {
  const task = running.get(id);
  if (!task) return;
  task.stopped = true;
  task.stop?.();
}

/**
 * Draws a page, and again if its browser ended because of another page. Retries run one at a time,
 * so that a page that crashes the browser affects no other.
 * @param {HostTask} task
 * @returns {Promise<HostResponse>}
 */
async function renderAgain(task) {
  const first = await render(task);
  if (first !== null) return first;
  const before = alone;
  const again = before.then(() => render(task));
  alone = again.then(
    () => undefined,
    () => undefined,
  );
  return (await again) ?? { id: task.id, ok: false, message: TOO_MUCH_MEMORY, expected: true };
}

/**
 * Starts the browser, and once more if it fails: on a busy machine it sometimes does not start.
 * @param {HostTask['launch']} options
 * @param {boolean[]} [tries] whether each try uses Chromium's sandbox
 * @returns {Promise<import('playwright-core').Browser>}
 */
async function launch(options, [sandbox = false, ...others] = TRIES[options.sandbox]) {
  try {
    return await launchWith(options, sandbox);
  } catch (error) {
    if (others.length === 0) throw error;
    return await launch(options, others);
  }
}

/** @param {Omit<HostTask['launch'], 'sandbox'>} options @param {boolean} sandbox */
async function launchWith({ executablePath, proxyPort }, sandbox) {
  const proxy = `127.0.0.1:${proxyPort}`;
  const browser = await chromium.launch({
    executablePath,
    chromiumSandbox: sandbox,
    // Forces everything through the proxy: loopback included, no local DNS, nothing over UDP.
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
      `--js-flags=--max-old-space-size=${PAGE_HEAP_MIB}`,
    ],
  });
  browser.on('disconnected', () => {
    launched = undefined;
  });
  return browser;
}

/**
 * One attempt, which ends at its time limit whatever the page does.
 * @param {HostTask} task
 * @returns {Promise<HostResponse | null>} null if the browser ended, but not because of this page
 */
async function render(task) {
  const { id, limitMs } = task;
  /** @type {Running} */
  const state = { stopped: false };
  running.set(id, state);
  /** @type {NodeJS.Timeout | undefined} */
  let limit;
  /** @type {Promise<HostResponse>} */
  const late = new Promise((resolve) => {
    limit = setTimeout(() => resolve({ id, ok: false, message: TOO_MUCH_TIME, expected: true }), limitMs);
    state.stop = () => resolve({ id, ok: false, message: 'Stopped', expected: true });
  });
  try {
    return await Promise.race([renderIn(task, state), late]);
  } finally {
    clearTimeout(limit);
    // A context that is still being created is closed once it exists.
    state.stopped = true;
    end(state);
  }
}

/**
 * @param {HostTask} task
 * @param {Running} state
 * @returns {Promise<HostResponse | null>}
 */
async function renderIn({ id, launch: options, request, proxy, settleMs = SETTLE_MS }, state) {
  /** @type {string | undefined} */
  let failedUrl;
  let crashed = false;
  /** @type {import('playwright-core').Browser | undefined} */
  let browser;
  try {
    launched ??= launch(options);
    browser = await launched.catch((error) => {
      launched = undefined;
      throw new Error(`The browser does not start: ${String(error).slice(0, 2_000)}`);
    });
    const most = mostPixelsHigh(request);
    const context = await browser.newContext({
      viewport: { width: request.width, height: Math.min(request.height, most) },
      deviceScaleFactor: request.scale,
      colorScheme: request.dark ? 'dark' : 'light',
      serviceWorkers: 'block',
      acceptDownloads: false,
      proxy: { server: `http://127.0.0.1:${options.proxyPort}`, bypass: '<-loopback>', ...proxy },
    });
    state.context = context;
    if (state.stopped) {
      end(state);
      throw new Error('Stopped');
    }
    const page = await context.newPage();
    state.page = page;
    context.on('page', (other) => void (other === page || other.close().catch(() => undefined)));
    /** @type {Promise<never>} */
    const crash = new Promise((_, reject) => {
      page.on('crash', () => {
        crashed = true;
        reject(new Error('The page crashed'));
      });
    });
    crash.catch(() => undefined);
    page.on('requestfailed', (failed) => {
      try {
        if (failed.isNavigationRequest() && failed.frame() === page.mainFrame()) failedUrl = failed.url();
      } catch {
        // A worker's request has no frame.
      }
    });
    return await Promise.race([drawPage(id, page, request, settleMs), crash]);
  } catch (error) {
    if (crashed) return { id, ok: false, message: TOO_MUCH_MEMORY, expected: true };
    if (browser && !browser.isConnected() && !state.stopped) return null;
    return { id, ok: false, ...reasonOf(error), ...(failedUrl === undefined ? {} : { failedUrl }) };
  }
}

/**
 * @param {number} id
 * @param {import('playwright-core').Page} page
 * @param {HostTask['request']} request
 * @param {number} settleMs
 * @returns {Promise<HostResponse>}
 */
async function drawPage(id, page, request, settleMs) {
  const status = await open(page, request, settleMs);
  const value = await draw(page, request);
  return {
    id,
    ok: true,
    value: { ...value, status, url: page.url(), title: (await page.title()).slice(0, MAX_TITLE) },
  };
}

/** Closes the pages of a task, even those with endless scripts. @param {Running} state */
function end({ context, page }) {
  if (!context) return;
  const browser = context.browser();
  const closed = context.close().catch(() => undefined);
  /** @type {NodeJS.Timeout} */
  const limit = setTimeout(() => {
    crash(page)
      .then(() => Promise.race([closed, wait(CLOSE_MS)]))
      // Last resort: closes the browser with all its pages; the others are drawn again.
      .then((done) => (done === 'late' ? browser?.close() : undefined))
      .catch(() => undefined);
  }, CLOSE_MS);
  closed.then(() => clearTimeout(limit)).catch(() => undefined);
}

/** @param {import('playwright-core').Page | undefined} page */
async function crash(page) {
  const session = await page?.context().newCDPSession(page);
  await Promise.race([session?.send('Page.crash').catch(() => undefined), wait(CLOSE_MS)]);
}

/** @param {number} ms @returns {Promise<'late'>} */
function wait(ms) {
  return new Promise((resolve) => {
    setTimeout(() => resolve('late'), ms).unref();
  });
}

/** @param {Pick<HostTask['request'], 'width' | 'scale'>} request @returns {number} in CSS pixels */
function mostPixelsHigh({ width, scale }) {
  return Math.min(MAX_PAGE_HEIGHT, Math.floor(MAX_PIXELS / (width * scale * scale)));
}

/** A failure that the caller can act on. */
class Expected extends Error {}

/**
 * @param {import('playwright-core').Page} page
 * @param {HostTask['request']} request
 * @param {number} settleMs
 */
async function open(page, request, settleMs) {
  // Blocks other schemes, above all `file:`.
  await page.route(
    ({ protocol }) => !/^(https?|data|blob|about):$/.test(protocol),
    (route) => route.abort(),
  );
  let status = null;
  if (request.url !== undefined) {
    const response = await page.goto(request.url, { waitUntil: 'domcontentloaded', timeout: LOAD_MS });
    status = response?.status() ?? null;
  } else {
    // As a response, not by setContent: a blank page loads no images.
    const body = request.html ?? '';
    await page.route(HTML_ADDRESS, (route) =>
      route.fulfill({ contentType: 'text/html; charset=utf-8', body }),
    );
    await page.goto(HTML_ADDRESS, { waitUntil: 'domcontentloaded', timeout: LOAD_MS });
  }
  await page.waitForLoadState('load', { timeout: settleMs }).catch(ignoreTimeout);
  if (request.waitFor !== undefined) {
    await page.waitForSelector(request.waitFor, { timeout: SETTLE_MS }).catch((error) => {
      const late = error?.name === 'TimeoutError';
      throw new Expected(
        late
          ? `wait_for: no element ${request.waitFor} appeared within ${SETTLE_MS / 1000} s.`
          : `wait_for: this is not a valid CSS selector.`,
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
  // Measured by the browser, because the page can lie about its size.
  const session = await page.context().newCDPSession(page);
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const whole = fullPage ? Math.max(height, Math.ceil(cssContentSize.height)) : height;
  const drawn = Math.min(whole, mostPixelsHigh({ width, scale }));
  const options = /** @type {const} */ ({
    path,
    type,
    ...(type === 'png' ? {} : { quality }),
    ...(fullPage ? { fullPage, clip: { x: 0, y: 0, width, height: drawn } } : {}),
    animations: 'disabled',
  });
  await captureWithRetry((timeout) => page.screenshot({ ...options, timeout }), LOAD_MS);
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
    return { message: 'The URL is a download, not a page.', expected: true };
  const code = /net::(ERR_[A-Z0-9_]+)/.exec(text)?.[1];
  if (code) return { message: `The page could not be loaded (${code}).`, expected: true };
  if (error?.name === 'TimeoutError')
    return { message: 'The page did not load within 30 s.', expected: true };
  return { message: text.slice(0, 2_000), expected: false };
}

// The main thread's CPU time while a page loads. Unlike Lighthouse's times, it means something on a
// machine with other work.

/** @typedef {{ data?: { documentLoaderURL?: string }, beginData?: { url?: string } }} EventArgs */
/** @typedef {{ name: string, ph: string, pid: number, tid: number, tdur?: number }} EventTimes */
/** @typedef {EventTimes & { args?: EventArgs }} TraceEvent */

/** The throttling of Lighthouse's phone. */
const PHONE_FACTOR = 4;
/** A task blocks with its time above this, in Total Blocking Time. */
const BLOCKING_MS = 50;
/** Hydration and what it starts. */
const SETTLE_MS = 2_000;
const CATEGORIES = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'];

/**
 * Loads a page with an empty cache in its own tab.
 * @param {import('playwright').Browser} browser
 * @param {import('playwright').BrowserContext} context
 * @param {string} url
 * @returns {Promise<{ longestMs: number, totalMs: number, blockingMs: number }>} CPU times; the
 *   blocking time is that of a phone
 */
export async function measureMainThread(browser, context, url) {
  const page = await context.newPage();
  const session = await browser.newBrowserCDPSession();
  /** @type {TraceEvent[]} */
  const events = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(.../** @type {TraceEvent[]} */ (/** @type {unknown} */ (value)));
  });
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: CATEGORIES },
  });
  await page.goto(url);
  await page.waitForTimeout(SETTLE_MS);
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  await page.close();
  return summarise(findTasks(events, url));
}

/**
 * @param {TraceEvent[]} events
 * @param {string} url
 * @returns {number[]} the CPU times of the page's tasks
 */
function findTasks(events, url) {
  const parse = events.find(({ name, args }) => name === 'ParseHTML' && args?.beginData?.url === url);
  if (!parse) throw new Error(`The trace has no load of ${url}.`);
  const own = events.filter(({ pid, tid, ph }) => pid === parse.pid && tid === parse.tid && ph === 'X');
  const named = (/** @type {string} */ wanted) => own.filter(({ name }) => name === wanted);
  const tasks = named('RunTask').length > 0 ? named('RunTask') : named('ThreadControllerImpl::RunTask');
  return tasks.map(({ tdur = 0 }) => tdur / 1000);
}

/** @param {number[]} tasks */
function summarise(tasks) {
  const sum = (/** @type {number[]} */ values) => values.reduce((total, value) => total + value, 0);
  return {
    longestMs: Math.max(0, ...tasks),
    totalMs: sum(tasks),
    blockingMs: sum(tasks.map((ms) => Math.max(0, ms * PHONE_FACTOR - BLOCKING_MS))),
  };
}

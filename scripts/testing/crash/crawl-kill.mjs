// A crawl goes on where it was when its process is killed: pages are not read twice, and it is charged once.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { balanceOf, createAccount, historyOf } from './accounts.mjs';
import { send } from './client.mjs';
import { MortalGateway } from './mortal-gateway.mjs';

/** @typedef {import('./checks.mjs').Checks} Checks */

const PAGES = 60;
/** The site takes its time, so that the kill comes in the middle. */
const PAGE_MS = 60;
const KILLS_AT = [15, 35];
/** Pages that were read since the last checkpoint, and the one on its way. */
const MOST_REREAD_PER_KILL = 6;
/** Micro-dollars. */
const PAGE_PRICE = 500;
const DEADLINE_MS = 120_000;
const POLL_MS = 20;

/**
 * @param {Checks} checks
 * @param {(log: string) => void} keepLog
 */
export async function runCrawlKill(checks, keepLog) {
  const site = await startSite();
  const gateway = await MortalGateway.start({ LEASE_SECONDS: '2', OUTBOUND_ALLOW: `127.0.0.1:${site.port}` });
  try {
    const account = await createAccount(gateway, 'crawl', { keys: 1, creditUsd: 1 });
    const key = String(account.keys[0]);
    const input = { url: `${site.origin}/page/0`, max_pages: 100 };
    const begun = await send(`${gateway.baseUrl}/v1/tools/call`, key, 'POST', {
      json: { tool: 'site-crawler', skill: 'crawl', input },
      headers: { prefer: 'wait=0' },
    });
    checks.equals('a crawl becomes a job', begun.status, 202);
    for (const pages of KILLS_AT) {
      await until(`${pages} pages were read`, async () => site.pages().size >= pages);
      await gateway.dieAndReturn({ withDatabase: false });
    }
    const job = await untilEnded(gateway, key, begun.body.job_id);
    await judge(checks, { gateway, site, account, job });
  } finally {
    keepLog(gateway.log());
    await gateway.stop();
    await site.close();
  }
}

/**
 * @param {Checks} checks
 * @param {{ gateway: MortalGateway, site: Site, account: import('./accounts.mjs').Account, job: any }} found
 */
async function judge(checks, { gateway, site, account, job }) {
  const counts = [...site.pages().values()];
  const reread = counts.reduce((sum, count) => sum + count, 0) - PAGES;
  console.log(`  ${PAGES} pages, killed ${gateway.kills} times; ${reread} pages were asked for again`);
  checks.equals('the job of a killed crawl ends well', [job.status, job.error ?? null], ['completed', null]);
  checks.equals(
    'all pages are in its output, each once',
    [job.output?.pages_read, countOf(job.output?.pages)],
    [PAGES, PAGES],
  );
  checks.holds(
    'pages that were read before the kill are not asked for again',
    reread <= gateway.kills * MOST_REREAD_PER_KILL ? [] : [`${reread} pages were asked for again`],
  );
  const lines = (job.logs ?? []).map(String);
  const missing = [...site.pages().keys()].filter(
    (path) => !lines.some((/** @type {string} */ line) => line.includes(`${path} (200`)),
  );
  checks.holds(
    'its log has a line for each page',
    missing.length <= gateway.kills * MOST_REREAD_PER_KILL ? [] : missing,
  );
  checks.holds(
    'its log says that it goes on',
    lines.some((/** @type {string} */ line) => line.startsWith('Goes on after')) ? [] : lines.slice(0, 5),
  );
  const text = await fetch(`${gateway.baseUrl}/v1/assets/${job.output?.text?.asset_id}`).then((response) =>
    response.text(),
  );
  const titles = new Set(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).title),
  );
  checks.equals('the text of all pages is in its asset', titles.size, PAGES);
  const charged = (await historyOf(gateway.baseUrl, account)).map(({ cost_usd }) =>
    Math.round(cost_usd * 1e6),
  );
  checks.equals('it is charged once, for the pages read', charged, [PAGES * PAGE_PRICE]);
  checks.equals(
    'the balance says the same',
    await balanceOf(gateway.baseUrl, account),
    account.credit - PAGES * PAGE_PRICE,
  );
  const [left] = await gateway.sql`select count(*)::int as n from queued_call_states`;
  checks.equals('nothing is left of its checkpoint', left?.n, 0);
  const { differences } = await gateway
    .admin('reconcile')
    .catch((error) => ({ differences: [String(error)] }));
  checks.equals('reconcile finds no difference after the crawl', differences, []);
}

/** @param {any[] | undefined} pages */
function countOf(pages) {
  return new Set(pages?.map(({ url }) => url)).size;
}

/**
 * @typedef {object} Site
 * @property {string} origin
 * @property {number} port
 * @property {() => Map<string, number>} pages how often each page was asked for
 * @property {() => Promise<void>} close
 */

/** A site of pages in a tree. @returns {Promise<Site>} */
async function startSite() {
  /** @type {Map<string, number>} */
  const pages = new Map();
  const server = createServer(async (request, response) => {
    const at = /^\/page\/(\d+)$/.exec(request.url ?? '')?.[1];
    if (at === undefined || Number(at) >= PAGES) return void response.writeHead(404).end();
    if (request.method === 'HEAD') return void response.writeHead(200).end();
    pages.set(`/page/${at}`, (pages.get(`/page/${at}`) ?? 0) + 1);
    await sleep(PAGE_MS);
    const links = [2 * Number(at) + 1, 2 * Number(at) + 2].map(
      (child) => `<a href="/page/${child}">${child}</a>`,
    );
    const own =
      Number(at) < (PAGES - 1) / 2 ? links.slice(0, 2 * Number(at) + 2 < PAGES ? 2 : 1).join(' ') : '';
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<title>Page ${at}</title><p>Words of page ${at}.</p>${own}`);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    pages: () => pages,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * @param {MortalGateway} gateway
 * @param {string} key
 * @param {string} jobId
 */
async function untilEnded(gateway, key, jobId) {
  for (const end = performance.now() + DEADLINE_MS; performance.now() < end; ) {
    const { body } = await send(`${gateway.baseUrl}/v1/jobs/${jobId}`, key, 'GET');
    if (['completed', 'failed', 'cancelled'].includes(body?.status)) return body;
  }
  throw new Error('The crawl never ended');
}

/**
 * @param {string} what
 * @param {() => Promise<boolean>} holds
 */
async function until(what, holds) {
  for (const end = performance.now() + DEADLINE_MS; performance.now() < end; await sleep(POLL_MS))
    if (await holds()) return;
  throw new Error(`It never came to be that ${what}`);
}

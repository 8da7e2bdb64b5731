// A crawl resumes from its checkpoint when its process is killed: it does not read pages again and
// is charged once.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Job } from '@/server/calls/jobs/schema';
import { type Account, createAccount, findDifferences, getBalance, listUsage } from '../fixtures/accounts';
import { type Answer, microusd, send } from '../fixtures/gateway-client';
import { waitForJob } from '../fixtures/jobs';
import { type NumberedSite, startNumberedSite } from '../fixtures/numbered-site';
import { RestartableGateway } from '../fixtures/restartable-gateway';
import { saveResult } from '../fixtures/test-results';
import { waitUntil } from '../fixtures/wait-until';

const PAGES = 60;
const PAGE_MS = 60;
const KILLS_AT = [15, 35];
/** Per kill: up to five pages since the last checkpoint, and the one being read. */
const MAX_REREAD = KILLS_AT.length * 6;
/** Micro-dollars. */
const PAGE_PRICE = 500;
const SCENARIO_MS = 600_000;

const crawlOutput = z.object({
  pages_read: z.number(),
  pages: z.array(z.object({ url: z.string() })),
  text: z.object({ asset_id: z.string() }),
});

let site: NumberedSite;
let gateway: RestartableGateway;
let account: Account;
let started: Answer;
let job: Partial<Job>;
const readOutput = () => crawlOutput.parse(job.output);

beforeAll(async () => {
  site = await startNumberedSite(PAGES, PAGE_MS);
  gateway = await RestartableGateway.start({
    // A busy process must not lose its lease: the two kills leave it no further attempt.
    LEASE_SECONDS: '10',
    OUTBOUND_ALLOW: `127.0.0.1:${site.port}`,
  });
  account = await createAccount(gateway, 'crawl', { keys: 1, creditUsd: 1 });
  const [key = ''] = account.keys;
  const input = { url: `${site.origin}/page/0`, max_pages: 100 };
  started = await send(`${gateway.baseUrl}/v1/tools/call`, key, 'POST', {
    json: { tool: 'site-crawler', skill: 'crawl', input },
    headers: { prefer: 'wait=0' },
  });
  for (const pages of KILLS_AT) {
    await waitUntil(`${pages} pages were read`, () => site.reads.size >= pages);
    await gateway.killAndRestart();
  }
  job = await waitForJob(gateway.baseUrl, key, started.body.job_id ?? '');
}, SCENARIO_MS);

afterAll(async () => {
  saveResult('crash/crawl.log', gateway.log());
  await gateway.stop();
  await site.close();
});

test('a crawl becomes a job', () => {
  expect(started.status).toBe(202);
});

test('the job completes although its process was killed', () => {
  expect([gateway.kills, job.status, job.error]).toEqual([KILLS_AT.length, 'completed', undefined]);
});

test('its output contains every page once', () => {
  const { pages_read, pages } = readOutput();
  expect(pages_read).toBe(PAGES);
  expect(pages).toHaveLength(PAGES);
  expect(new Set(pages.map(({ url }) => url)).size).toBe(PAGES);
});

test('pages read before a kill are not requested again', () => {
  const requests = [...site.reads.values()].reduce((sum, count) => sum + count, 0);
  expect(requests - PAGES).toBeLessThanOrEqual(MAX_REREAD);
});

test('its log has a line for each page', () => {
  const missing = [...site.reads.keys()].filter(
    (path) => !job.logs?.some((line) => line.includes(`${path} (200`)),
  );
  expect(missing.length).toBeLessThanOrEqual(MAX_REREAD);
});

test('its log reports the resumption', () => {
  expect(job.logs).toContainEqual(expect.stringMatching(/^Resuming after/));
});

test('its asset contains the text of all pages', async () => {
  const asset = await fetch(`${gateway.baseUrl}/v1/assets/${readOutput().text.asset_id}`);
  const titles = (await asset.text())
    .trim()
    .split('\n')
    .map((line) => z.object({ title: z.string() }).parse(JSON.parse(line)).title);
  expect(new Set(titles).size).toBe(PAGES);
});

test('it is charged once, for the pages read', async () => {
  const records = await listUsage(gateway.baseUrl, account);
  expect(records.map(({ cost_usd }) => microusd(cost_usd))).toEqual([PAGES * PAGE_PRICE]);
});

test('the balance decreases by the same amount', async () => {
  expect(account.credit - (await getBalance(gateway.baseUrl, account))).toBe(PAGES * PAGE_PRICE);
});

test('its checkpoint is deleted', async () => {
  const [left] = await gateway.sql<{ count: number }[]>`
    select count(*)::int as count from queued_call_states`;
  expect(left?.count).toBe(0);
});

test('reconcile finds no difference after the crawl', async () => {
  expect(await findDifferences(gateway)).toEqual([]);
});

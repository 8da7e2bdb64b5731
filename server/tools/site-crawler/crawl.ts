import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { defineSkill, perUnit } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { isTransientStatus } from '../sdk/is-transient-status';
import type { SkillContext } from '../sdk/skill-context';
import { InputError, isSkillError, SkillError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { addressInput } from '../web-reader/address';
import { CrawlState, type PageRow, pageRow } from './crawl-state';
import type * as worker from './crawl-worker.mjs';
import { patternsInput } from './patterns';
import { CRAWL_WORKER, isAllowed, openSite, type Site } from './site';

/** A twentieth of a cent per page. */
const PRICE_MICROUSD = 500n;
const MAX_PAGES = 500;
const MAX_SECONDS = 840;
const MAX_PAGE_BYTES = 2 * 1024 * 1024;
const PAGE_TIMEOUT_MS = 30_000;
const MAX_CHARACTERS = 50_000;
/** After a crash, the pages since the last checkpoint are read again. */
const SAVE_EVERY_PAGES = 5;
const SAVE_EVERY_MS = 1_000;
/** Unreadable pages are free, so these limits end the crawl of a site with too many of them. */
const MAX_ATTEMPTS_PER_PAGE = 2;
const EXTRA_ATTEMPTS = 20;

const input = z.object({
  url: addressInput(
    'The page to start from. Only pages of the same origin (scheme, host and port) are read.',
  ),
  max_pages: z
    .int()
    .min(1)
    .max(MAX_PAGES)
    .default(50)
    .describe('Maximum number of pages to read, 1 to 500; 50 by default. Each page read is charged.'),
  max_depth: z
    .int()
    .min(0)
    .max(20)
    .default(5)
    .describe('Maximum number of links from the start; 0 reads only the start; 5 by default.'),
  include: patternsInput(
    'Read only pages with a path and query that start with one of these patterns (* matches any characters): /docs/*, /blog/*/2026. All pages by default.',
  ),
  exclude: patternsInput(
    'Skip pages with a path and query that start with one of these patterns: /tag/*, *?print=.',
  ),
  max_seconds: z
    .int()
    .min(5)
    .max(MAX_SECONDS)
    .default(600)
    .describe('Seconds after which the crawl stops and returns the pages read so far; 600 by default.'),
});
type Input = z.infer<typeof input>;

const output = z.object({
  start_url: z.string().describe('URL of the start page, after redirects.'),
  pages: z.array(pageRow).describe('The pages, in the order in which they were read.'),
  pages_read: z.int().describe('Number of pages read, which are charged.'),
  complete: z.boolean().describe('Whether all allowed pages were read; false if a limit ended the crawl.'),
  text: assetOutput.describe(
    'The text of all pages: JSON lines of url, title, depth, words, charset and text (Markdown, at most 50,000 characters a page).',
  ),
});

export const crawl = defineSkill<Input, z.infer<typeof output>, { units: number }>({
  name: 'crawl',
  displayName: 'Crawl a site',
  keywords:
    'crawler spider whole entire website domain every all pages download mirror save index collect knowledge base docs wiki',
  description:
    'Reads a whole web site page by page, following its links: up to 500 pages of one origin, with include and exclude patterns and a maximum depth. Obeys robots.txt and its crawl-delay. Returns the list of pages and the text of all of them as one JSONL file, for search, analysis or a knowledge base. Runs as a job, reports each page in its log, and goes on where it was after an interruption.',
  input,
  output,
  returns: 'The list of pages with title, status and words, and their text as a JSONL asset.',
  examples: [
    { description: 'The first 20 pages of a site', input: { url: 'https://example.com/', max_pages: 20 } },
    {
      description: 'A documentation, without its old versions',
      input: { url: 'https://example.com/', max_pages: 10, exclude: ['/v1/*', '*?print='] },
    },
  ],
  price: perUnit('page', PRICE_MICROUSD, ({ max_pages }: Input) => max_pages, ['max_pages']),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 60 },
  async run(context) {
    const { input: request, fetch, files, checkpoint, log, signal } = context;
    const end = performance.now() + request.max_seconds * 1000;
    const site = await openSite(fetch, request, signal);
    const before = CrawlState.resume(await checkpoint.load());
    const state = before ?? CrawlState.begin(site.start);
    if (before) log(`Resuming after an interruption, with ${before.rows.length} pages already read`);
    else await checkpoint.save(state);
    await readPages(context, site, state, end);
    const [first] = state.rows;
    if (state.read === 0 && first) throw firstPageFailure(first);
    const text = await files.save(
      { bytes: await state.text() },
      { filename: `${new URL(state.start).hostname}.jsonl`, contentType: 'application/x-ndjson' },
    );
    const { start, rows, read } = state;
    return {
      output: { start_url: start, pages: rows, pages_read: read, complete: !state.hasMore, text },
      usage: { units: read },
    };
  },
});

async function readPages(
  { input: request, fetch, checkpoint, log, progress, signal }: SkillContext<Input>,
  site: Site,
  state: CrawlState,
  end: number,
): Promise<void> {
  const maxAttempts = request.max_pages * MAX_ATTEMPTS_PER_PAGE + EXTRA_ATTEMPTS;
  let [savedAt, unsaved] = [performance.now(), 0];
  for (let next = state.peek(); next !== null; next = state.peek()) {
    if (state.read >= request.max_pages || state.rows.length >= maxAttempts || performance.now() > end) break;
    const { row, text, links, movedTo } = await readPage(fetch, site, next, signal);
    if (movedTo && (await isAllowed(site, movedTo, signal))) state.enqueue(movedTo, next.depth);
    if (next.depth < request.max_depth) for (const link of links) state.enqueue(link, next.depth + 1);
    await state.add(row, text);
    unsaved += 1;
    if (row) log(formatLogLine(row, state.rows.length));
    progress(state.read / Math.min(request.max_pages, state.known));
    if (unsaved >= SAVE_EVERY_PAGES || performance.now() - savedAt > SAVE_EVERY_MS) {
      await checkpoint.save(state);
      [savedAt, unsaved] = [performance.now(), 0];
    }
    if (site.delayMs > 0 && state.hasMore) await wait(site.delayMs, undefined, { signal });
  }
  await checkpoint.save(state);
}

interface PageResult {
  /** Null if the URL only redirected. */
  row: PageRow | null;
  text: string;
  links: readonly string[];
  movedTo?: string | null;
}

async function readPage(
  fetch: SkillContext<Input>['fetch'],
  site: Site,
  { url, depth }: { url: string; depth: number },
  signal: AbortSignal,
): Promise<PageResult> {
  const failed = (status: number | null, error: string): PageResult => ({
    row: { url, title: '', status, words: 0, depth, error },
    text: '',
    links: [],
  });
  let status: number | null = null;
  try {
    const response = await fetch(url, {
      headers: { accept: 'text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8' },
      redirect: 'manual',
      maxBytes: MAX_PAGE_BYTES,
      timeoutMs: PAGE_TIMEOUT_MS,
      signal,
    });
    status = response.status;
    const contentType = response.headers.get('content-type') ?? '';
    const refused = findRefusal(response, contentType);
    if (refused !== null) await response.body?.cancel();
    const location = response.headers.get('location');
    if (status >= 300 && status < 400 && location) return redirected(location, url);
    if (refused !== null) return failed(status, refused);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const task = { bytes, contentType, url, maxCharacters: MAX_CHARACTERS, rules: site.rules };
    const read = await runInWorker<typeof worker.readPage>(CRAWL_WORKER, 'readPage', task, { signal });
    if (!read.ok) return failed(status, read.message);
    const { title, words, text, links, charset } = read;
    return { row: { url, title, status, words, depth, error: null, charset }, text, links };
  } catch (error) {
    if (isSkillError(error) && !signal.aborted) return failed(status, error.message);
    throw error;
  }
}

/** The input is to blame only if a response came and a retry would not help. */
function firstPageFailure({ status, error }: PageRow): SkillError {
  const message = `url: ${error ?? 'the page cannot be read'}`;
  return status === null || isTransientStatus(status) ? new SkillError(message) : new InputError(message);
}

/** The target of a redirect is queued like any other page. */
function redirected(location: string, url: string): PageResult {
  const target = URL.canParse(location, url) ? new URL(location, url) : null;
  if (target) target.hash = '';
  return { row: null, text: '', links: [], movedTo: target?.href ?? null };
}

function findRefusal({ ok, status }: Response, contentType: string): string | null {
  if (!ok) return `the site responded with status ${status}`;
  return /^\s*(text\/html|application\/xhtml\+xml|text\/plain|$)/i.test(contentType)
    ? null
    : `the content is ${contentType.split(';')[0]}, not a web page`;
}

function formatLogLine({ url, words, status, error }: PageRow, count: number): string {
  return `${count}: ${url} ${error === null ? `(${status}, ${words} words)` : `not read: ${error}`}`;
}

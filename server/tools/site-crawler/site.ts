import type { OutboundFetch } from '../sdk/skill-context';
import { InputError, SkillError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import type * as worker from './crawl-worker.mjs';
import type { Rules } from './rules.mjs';

export const CRAWL_WORKER = 'server/tools/site-crawler/crawl-worker.mjs';
/** The minimum that RFC 9309 requires crawlers to parse. */
const MAX_ROBOTS_BYTES = 512 * 1024;
const MAX_CRAWL_DELAY_SECONDS = 30;
const TIMEOUT_MS = 30_000;

/** A site and the rules for reading it. */
export interface Site {
  /** URL of the start page, after redirects. */
  readonly start: string;
  readonly rules: Rules;
  readonly delayMs: number;
  /** URLs from robots.txt. */
  readonly sitemaps: readonly string[];
}

interface SiteRequest {
  url: string;
  include?: readonly string[];
  exclude?: readonly string[];
}

/**
 * Resolves the start page of a site and reads its robots.txt.
 * @throws {SkillError} if the start page is disallowed, or the site does not respond
 */
export async function openSite(
  fetch: OutboundFetch,
  request: SiteRequest,
  signal: AbortSignal,
): Promise<Site> {
  const requested = await readSite(fetch, request.url, request, signal);
  const response = await fetch(request.url, { method: 'HEAD', timeoutMs: TIMEOUT_MS, signal });
  await response.body?.cancel();
  const start = response.url || request.url;
  return new URL(start).origin === requested.rules.origin
    ? { ...requested, start }
    : await readSite(fetch, start, request, signal);
}

async function readSite(
  fetch: OutboundFetch,
  url: string,
  request: SiteRequest,
  signal: AbortSignal,
): Promise<Site> {
  const { origin } = new URL(url);
  const robots = await fetchRobots(fetch, origin, signal);
  const rules: Rules = {
    origin,
    robots,
    include: [...(request.include ?? [])],
    exclude: [...(request.exclude ?? [])],
  };
  const said = await runInWorker<typeof worker.readRobots>(
    CRAWL_WORKER,
    'readRobots',
    { rules, url },
    { signal },
  );
  if (said.byRobots) throw new InputError('url: the robots.txt of the site disallows reading this URL.');
  if (said.delaySeconds > MAX_CRAWL_DELAY_SECONDS)
    throw new InputError(
      `url: the robots.txt of the site sets a crawl-delay of ${said.delaySeconds} s, which is too long for a crawl.`,
    );
  return { start: url, rules, delayMs: said.delaySeconds * 1000, sitemaps: said.sitemaps };
}

/** Whether the rules of a crawl allow a URL to be read. */
export async function isAllowed({ rules }: Site, url: string, signal: AbortSignal): Promise<boolean> {
  const said = await runInWorker<typeof worker.readRobots>(
    CRAWL_WORKER,
    'readRobots',
    { rules, url },
    { signal },
  );
  return said.allowed;
}

/** Without a robots.txt everything is allowed; if the server fails, nothing is (RFC 9309). */
async function fetchRobots(fetch: OutboundFetch, origin: string, signal: AbortSignal): Promise<string> {
  const response = await fetch(`${origin}/robots.txt`, {
    maxBytes: MAX_ROBOTS_BYTES,
    timeoutMs: TIMEOUT_MS,
    signal,
  });
  if (response.ok) return await response.text();
  await response.body?.cancel();
  if (response.status >= 500)
    throw new SkillError(
      `The robots.txt of the site cannot be read now (status ${response.status}). Try again later.`,
    );
  return '';
}

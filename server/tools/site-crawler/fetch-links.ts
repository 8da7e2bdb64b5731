import type { OutboundFetch } from '../sdk/skill-context';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { fetchPage } from '../web-reader/fetch-page';
import type * as worker from './crawl-worker.mjs';
import { CRAWL_WORKER } from './site';

/**
 * Fetches a page and returns its links, each URL once.
 * @throws {InputError} if the page cannot be read
 */
export async function fetchLinks(
  fetch: OutboundFetch,
  url: string,
  signal: AbortSignal,
): Promise<{ url: string; links: readonly { url: string; text: string }[] }> {
  const page = await fetchPage(fetch, url, { signal });
  const read = await runInWorker<typeof worker.linksOf>(CRAWL_WORKER, 'linksOf', page, { signal });
  if (!read.ok) throw new InputError(read.message);
  return { url: page.url, links: read.links };
}

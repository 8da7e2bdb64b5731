import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import type { SkillContext } from '../sdk/skill-context';
import { InputError, isSkillError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { addressInput } from '../web-reader/address';
import type * as worker from './crawl-worker.mjs';
import { fetchLinks } from './fetch-links';
import { CRAWL_WORKER, openSite, type Site } from './site';

/** A fifth of a cent, for up to thirty files. */
const PRICE_MICROUSD = 2_000n;
const MAX_URLS = 5_000;
const MAX_FILES = 30;
const MAX_FILE_BYTES = 10 * 1024 * 1024;
const FILE_TIMEOUT_MS = 30_000;

const input = z.object({
  url: addressInput('Any page of the site, or a sitemap.'),
  max_urls: z
    .int()
    .min(1)
    .max(MAX_URLS)
    .default(1_000)
    .describe('Maximum number of URLs to return, 1 to 5,000; 1,000 by default.'),
});

const output = z.object({
  source: z
    .enum(['sitemap', 'links'])
    .describe(
      'sitemap: the URLs come from sitemap files. links: the site has none, so they are the links of the page.',
    ),
  urls: z
    .array(
      z.object({
        url: z.string().describe('URL of a page.'),
        last_modified: z.string().nullable().describe('Time of the last change according to the sitemap.'),
      }),
    )
    .describe('The pages.'),
  files: z
    .array(
      z.object({
        url: z.string().describe('URL of a sitemap file.'),
        error: z.string().nullable().describe('Why the file was not read; null if it was.'),
      }),
    )
    .describe('The sitemap files that were requested.'),
  complete: z.boolean().describe('Whether the list is complete; false if a limit was reached.'),
});
type Output = z.infer<typeof output>;

export const sitemap = defineSkill<z.infer<typeof input>, Output>({
  name: 'sitemap',
  displayName: 'List the pages of a site',
  keywords: 'sitemap.xml all urls addresses pages domain website structure',
  description:
    'Lists the addresses of a web site from its sitemap: finds it in robots.txt or at /sitemap.xml, follows sitemap indexes, reads gzip files. A site without a sitemap gives the links of the page instead. Up to 5,000 addresses from 30 files.',
  input,
  output,
  returns: 'Addresses of pages with the date of their last change, and the sitemap files they came from.',
  examples: [{ description: 'All pages that a site lists', input: { url: 'https://example.com/' } }],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 5 },
  async run(context) {
    const { input: request, fetch, signal } = context;
    const site = await openSite(fetch, { url: request.url }, signal);
    const found = await readSitemaps(context, site);
    if (found.urls.length > 0) return { output: found };
    const { links } = await fetchLinks(fetch, site.start, signal);
    const own = links.map(({ url }) => url).filter((url) => new URL(url).origin === site.rules.origin);
    if (own.length === 0)
      throw new InputError(
        'url: the site has no sitemap, and the page has no links to other pages of the site.',
      );
    const urls = own.slice(0, request.max_urls).map((url) => ({ url, last_modified: null }));
    return { output: { source: 'links', urls, files: found.files, complete: urls.length === own.length } };
  },
});

async function readSitemaps(
  { input: request, fetch, log, signal }: SkillContext<z.infer<typeof input>>,
  site: Site,
): Promise<Output> {
  const givenSitemaps = /\.xml(\.gz)?$/i.test(new URL(site.start).pathname) ? [site.start] : [];
  const named = givenSitemaps.length > 0 ? givenSitemaps : site.sitemaps;
  const queue = named.length > 0 ? [...named] : [`${site.rules.origin}/sitemap.xml`];
  const seen = new Set(queue);
  const urls = new Map<string, string | null>();
  const files: Output['files'] = [];
  let complete = true;
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    if (files.length === MAX_FILES || urls.size >= request.max_urls) {
      complete = false;
      break;
    }
    const file = await readFile(fetch, url, signal);
    files.push({ url, error: file.ok ? null : file.message });
    log(`${url}: ${file.ok ? `${file.entries.length} addresses` : file.message}`);
    if (!file.ok) continue;
    for (const entry of file.entries) {
      if (file.isIndex) {
        if (!seen.has(entry.url)) queue.push(entry.url);
        seen.add(entry.url);
      } else if (urls.size < request.max_urls) urls.set(entry.url, entry.lastModified);
      else complete = false;
    }
  }
  const list = [...urls].map(([url, lastModified]) => ({ url, last_modified: lastModified }));
  return { source: 'sitemap', urls: list, files, complete };
}

async function readFile(
  fetch: SkillContext<unknown>['fetch'],
  url: string,
  signal: AbortSignal,
): ReturnType<typeof worker.readSitemap> {
  try {
    const response = await fetch(url, { maxBytes: MAX_FILE_BYTES, timeoutMs: FILE_TIMEOUT_MS, signal });
    if (!response.ok) {
      await response.body?.cancel();
      return { ok: false, message: `the site responded with status ${response.status}` };
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    return await runInWorker<typeof worker.readSitemap>(
      CRAWL_WORKER,
      'readSitemap',
      { bytes, contentType: response.headers.get('content-type') ?? '', url },
      { signal },
    );
  } catch (error) {
    if (isSkillError(error) && !signal.aborted) return { ok: false, message: error.message };
    throw error;
  }
}

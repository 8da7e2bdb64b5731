// Runs in a worker process: pages, robots.txt and sitemaps are untrusted and may be large.
import { gunzipSync } from 'node:zlib';
import robotsParser from 'robots-parser';
import { decodeText } from '../../kit/decode-text.mjs';
import { outline } from '../web-reader/page-worker.mjs';
import { createFilter, normalized, USER_AGENT } from './rules.mjs';

const MAX_LINKS = 2_000;
const MAX_ADDRESS_CHARS = 2_000;

/**
 * Reads the text of a page, and those of its links that the rules allow.
 * @param {import('../web-reader/page-worker.mjs').Page & { maxCharacters: number,
 *   rules: import('./rules.mjs').Rules }} task
 */
export async function readPage({ rules, ...page }) {
  const read = await outline(page);
  if (!read.ok) return read;
  const mayRead = createFilter(rules);
  const links = new Set();
  for (const { url } of read.links) {
    const link = normalized(url);
    if (links.size < MAX_LINKS && link.length <= MAX_ADDRESS_CHARS && !links.has(link) && mayRead(link))
      links.add(link);
  }
  return { ...read, links: /** @type {string[]} */ ([...links]) };
}

/**
 * Reads all links of a page, with their text.
 * @param {import('../web-reader/page-worker.mjs').Page} page
 */
export async function linksOf(page) {
  const read = await outline({ ...page, maxCharacters: 0 });
  return read.ok ? { ok: read.ok, links: read.links.slice(0, MAX_LINKS) } : read;
}

/**
 * @param {{ rules: import('./rules.mjs').Rules, url: string }} task
 * @returns {{ allowed: boolean, byRobots: boolean, delaySeconds: number, sitemaps: string[] }}
 */
export function readRobots({ rules, url }) {
  const parsed = robotsParser(`${rules.origin}/robots.txt`, rules.robots);
  const delay = Number(parsed.getCrawlDelay(USER_AGENT) ?? 0);
  return {
    allowed: createFilter(rules)(url),
    byRobots: parsed.isAllowed(url, USER_AGENT) === false,
    delaySeconds: Number.isFinite(delay) ? Math.max(0, delay) : 0,
    sitemaps: parsed.getSitemaps().slice(0, 20),
  };
}

/** @typedef {{ url: string, lastModified: string | null }} SitemapEntry */

const MAX_SITEMAP_BYTES = 20 * 1024 * 1024;
const MAX_ENTRIES = 5_000;

/**
 * @param {import('../web-reader/page-worker.mjs').Page} file
 * @returns {Promise<{ ok: true, isIndex: boolean, entries: SitemapEntry[] } | { ok: false,
 *   message: string }>}
 */
export async function readSitemap({ bytes, contentType, url }) {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  let plain = bytes;
  try {
    if (isGzip) plain = gunzipSync(bytes, { maxOutputLength: MAX_SITEMAP_BYTES });
  } catch {
    return { ok: false, message: 'the file is not valid gzip, or is larger than 20 MiB uncompressed' };
  }
  // Many servers send XML as another type, whose charset counts all the same.
  const type = isGzip ? 'application/xml' : contentType.replace(/^[^;,]*/, 'application/xml');
  const { text: xml } = await decodeText(plain, type);
  if (!/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(xml.slice(0, 10_000)))
    return { ok: false, message: 'the file is not a sitemap' };
  const isIndex = /<(?:\w+:)?sitemapindex[\s>]/.test(xml.slice(0, 10_000));
  /** @type {SitemapEntry[]} */
  const entries = [];
  // Split first, so that an unclosed tag cannot make the search slow.
  for (const part of xml.split(isIndex ? /<\/(?:\w+:)?sitemap>/ : /<\/(?:\w+:)?url>/)) {
    if (entries.length === MAX_ENTRIES) break;
    const address = readTag(part, 'loc');
    if (address === null || !URL.canParse(address, url)) continue;
    const { href, protocol } = new URL(address, url);
    if (/^https?:$/.test(protocol) && href.length <= MAX_ADDRESS_CHARS)
      entries.push({ url: href, lastModified: readTag(part, 'lastmod')?.slice(0, 40) ?? null });
  }
  return { ok: true, isIndex, entries };
}

/** @param {string} part @param {string} tag */
function readTag(part, tag) {
  const open = new RegExp(`<(?:\\w+:)?${tag}[^<>]{0,100}>`).exec(part);
  if (!open) return null;
  const begin = open.index + open[0].length;
  const cdata = part.startsWith('<![CDATA[', begin);
  const end = cdata ? part.indexOf(']]>', begin) : part.indexOf('<', begin);
  if (end < 0) return null;
  const text = part.slice(cdata ? begin + '<![CDATA['.length : begin, end).trim();
  return cdata
    ? text
    : text.replace(
        /&(amp|lt|gt|quot|apos);/g,
        (_, name) => ENTITIES[/** @type {keyof typeof ENTITIES} */ (name)],
      );
}

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

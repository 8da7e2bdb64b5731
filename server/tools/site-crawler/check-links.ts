import { z } from 'zod';
import { defineSkill, perUnit } from '../sdk/define-tool';
import type { OutboundFetch, SkillContext } from '../sdk/skill-context';
import { isSkillError } from '../sdk/skill-error';
import { addressInput } from '../web-reader/address';
import { fetchLinks } from './fetch-links';
import { isAllowed, openSite, type Site } from './site';

/** A hundredth of a cent per link. */
const PRICE_MICROUSD = 100n;
const MAX_LINKS = 500;
const MAX_PAGES = 50;
const AT_ONCE = 4;
const LINK_TIMEOUT_MS = 15_000;
/** Statuses that servers send to suspected robots; they say nothing about the page. */
const UNSURE = new Set([401, 403, 429, 999]);

const input = z.object({
  url: addressInput('The page to start from.'),
  max_pages: z
    .int()
    .min(1)
    .max(MAX_PAGES)
    .default(1)
    .describe(
      'Maximum number of pages of the site to read; 1 (the default) checks only the links of this page.',
    ),
  max_links: z
    .int()
    .min(1)
    .max(MAX_LINKS)
    .default(100)
    .describe('Maximum number of links to check, 1 to 500; 100 by default. Each checked link is charged.'),
  external: z.boolean().default(true).describe('Whether to check links to other sites too; true by default.'),
});
type Input = z.infer<typeof input>;

const broken = z.object({
  url: z.string().describe('Target of the link.'),
  status: z.int().nullable().describe('HTTP status; null if there was no response.'),
  reason: z.string().describe('Why the link counts as broken.'),
  text: z.string().describe('Text of the link.'),
  found_on: z.string().describe('URL of the page with the link.'),
});

const output = z.object({
  pages: z.int().describe('Number of pages read.'),
  checked: z.int().describe('Number of links checked, each URL once.'),
  broken: z.array(broken).describe('Broken links: 404, 410, server errors, unknown hosts.'),
  unsure: z
    .array(broken)
    .describe('Links that the server denies to robots (401, 403, 429): they may work for people.'),
  complete: z.boolean().describe('Whether all links were checked; false if a limit was reached.'),
});

export const checkLinks = defineSkill<Input, z.infer<typeof output>, { units: number }>({
  name: 'check_links',
  displayName: 'Find broken links',
  keywords: 'dead link checker broken hyperlinks 404 rotten homepage website audit',
  description:
    'Checks the links of a web page, or of up to 50 pages of a site, and lists the broken ones (dead links, 404s, hosts that are gone) with the page and the text where each stands. Internal and external links, up to 500. Links inside private networks count as broken.',
  input,
  output,
  returns: 'The broken links with status, reason, text and page, and how many were checked.',
  examples: [
    { description: 'Dead links of one page', input: { url: 'https://example.com/about' } },
    {
      description: 'Dead internal links of ten pages',
      input: { url: 'https://example.com/', max_pages: 10, external: false },
    },
  ],
  price: perUnit('link', PRICE_MICROUSD, ({ max_links }: Input) => max_links, ['max_links']),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 15 },
  async run(context) {
    const { fetch, signal, log, progress } = context;
    const site = await openSite(fetch, { url: context.input.url }, signal);
    const { links, pages, complete } = await collect(context, site);
    const found: { link: Link; answer: Answer }[] = [];
    const queue = [...links];
    const work = async () => {
      for (let link = queue.shift(); link !== undefined; link = queue.shift()) {
        const answer = await check(fetch, link.url, signal);
        found.push({ link, answer });
        if (answer.reason !== null) log(`${link.url}: ${answer.reason}`);
        progress(found.length / links.length);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const reported = found.flatMap(({ link, answer: { status, reason } }) =>
      reason === null ? [] : [{ url: link.url, status, reason, text: link.text, found_on: link.page }],
    );
    const isUnsure = ({ status }: { status: number | null }) => status !== null && UNSURE.has(status);
    return {
      output: {
        pages,
        checked: links.length,
        broken: reported.filter((link) => !isUnsure(link)),
        unsure: reported.filter(isUnsure),
        complete,
      },
      usage: { units: links.length },
    };
  },
});

interface Link {
  url: string;
  text: string;
  page: string;
}

/** Collects the links of the pages, each URL once, with the page where it was found first. */
async function collect(
  { input: request, fetch, signal }: SkillContext<Input>,
  { start, rules, delayMs, sitemaps }: Site,
): Promise<{ links: Link[]; pages: number; complete: boolean }> {
  const site: Site = { start, rules, delayMs, sitemaps };
  const links = new Map<string, Link>();
  const queue = [start];
  const seen = new Set(queue);
  let [pages, complete] = [0, true];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (pages === request.max_pages) {
      complete = request.max_pages === 1;
      break;
    }
    const page = await readLinks(fetch, next, pages === 0, signal);
    pages += 1;
    for (const { url: found, text } of page?.links ?? []) {
      const url = found.split('#')[0] ?? found;
      const isOwn = new URL(url).origin === rules.origin;
      if (!isOwn && !request.external) continue;
      if (links.size < request.max_links || links.has(url))
        links.set(url, links.get(url) ?? { url, text, page: next });
      else complete = false;
      if (!isOwn || request.max_pages === 1 || seen.size >= MAX_LINKS || seen.has(url)) continue;
      // Before the check, so that robots.txt is evaluated once per URL and not once per link.
      seen.add(url);
      if (await isAllowed(site, url, signal)) queue.push(url);
    }
  }
  return { links: [...links.values()], pages, complete };
}

/** Returns null for an unreadable page, itself a broken link; throws for the first page. */
async function readLinks(fetch: OutboundFetch, url: string, isFirst: boolean, signal: AbortSignal) {
  try {
    return await fetchLinks(fetch, url, signal);
  } catch (error) {
    if (isFirst || !isSkillError(error) || signal.aborted) throw error;
    return null;
  }
}

interface Answer {
  status: number | null;
  /** Null if the link works. */
  reason: string | null;
}

/** Sends HEAD and, if that fails, GET without reading its body. */
async function check(fetch: OutboundFetch, url: string, signal: AbortSignal): Promise<Answer> {
  try {
    for (const method of ['HEAD', 'GET']) {
      const response = await fetch(url, { method, timeoutMs: LINK_TIMEOUT_MS, signal });
      await response.body?.cancel();
      if (response.ok) return { status: response.status, reason: null };
      if (method === 'GET')
        return { status: response.status, reason: `the server responded with status ${response.status}` };
    }
    return { status: null, reason: null };
  } catch (error) {
    if (!isSkillError(error) || signal.aborted) throw error;
    return { status: null, reason: error.message };
  }
}

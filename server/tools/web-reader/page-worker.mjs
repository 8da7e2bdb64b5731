// Runs in a worker process: parsing a page of 5 MiB takes seconds and 100 MiB of memory.
import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import { decodeText } from '../../kit/decode-text.mjs';
import { isTooDeep } from '../../kit/output-size.mjs';
import { parseExactJson } from '../../kit/replace-inexact-numbers.mjs';
import { cut, wordsIn } from './page-text.mjs';
import { toMarkdown } from './to-markdown.mjs';

/**
 * @typedef {object} Page
 * @property {Uint8Array} bytes
 * @property {string} contentType
 * @property {string} url after redirects
 */

/** @typedef {{ ok: false, message: string }} Refused */
/** @typedef {{ text: string, url: string }} Link */

/**
 * @typedef {object} Article
 * @property {true} ok
 * @property {string} title
 * @property {string | null} byline
 * @property {string | null} excerpt
 * @property {string | null} siteName
 * @property {string | null} language
 * @property {string | null} published
 * @property {string} markdown
 * @property {number} words
 * @property {boolean} truncated
 * @property {Link[]} links
 * @property {string} charset
 */

const MAX_LINKS = 200;
const MAX_LINK_TEXT = 200;
const MAX_FIELD = 2_000;
const MAX_ELEMENTS = 200_000;

/**
 * Extracts the main content of a page.
 * @param {Page & { maxCharacters: number, whole: boolean }} page `whole`: includes navigation
 * @returns {Promise<Article | Refused>}
 */
export async function read(page) {
  return await guarded(page, ({ document, charset }) => {
    const language = getLanguage(document);
    const described = describe(document);
    const title = getTitle(document);
    const article =
      page.whole || !isProbablyReaderable(document, { minContentLength: 40 }) ? null : extract(document);
    const content = article?.content ?? getBody(document);
    const full = toMarkdown(content);
    const markdown = cut(full, page.maxCharacters);
    return {
      ok: /** @type {const} */ (true),
      title: clip(article?.title || title) ?? '',
      byline: clip(article?.byline || described.author),
      excerpt: clip(article?.excerpt || described.description),
      siteName: clip(article?.siteName || described.siteName),
      language: clip(article?.lang || language),
      published: clip(article?.publishedTime || described.published),
      markdown,
      words: wordsIn(full),
      truncated: markdown.length < full.length,
      links: linksIn(content).slice(0, MAX_LINKS),
      charset,
    };
  });
}

/** @param {Document} document */
function extract(document) {
  const reader = new Readability(/** @type {any} */ (document), {
    maxElemsToParse: MAX_ELEMENTS,
    charThreshold: 120,
    serializer: (node) => /** @type {Element} */ (node),
  });
  return reader.parse();
}

/** @param {Document} document */
function getBody(document) {
  const body = document.body ?? document.documentElement;
  for (const element of body.querySelectorAll('script, style, noscript, template, svg, iframe'))
    element.remove();
  return body;
}

/**
 * Extracts what a crawler needs: the text of a page and its links.
 * @param {Page & { maxCharacters: number }} page
 */
export async function outline(page) {
  return await guarded(page, ({ document, charset }) => {
    const robots = meta(document, 'robots')?.toLowerCase() ?? '';
    const links = /nofollow|none/.test(robots) ? [] : linksIn(document.documentElement);
    const title = getTitle(document);
    const markdown = toMarkdown(getBody(document));
    return {
      ok: /** @type {const} */ (true),
      title: clip(title) ?? '',
      words: wordsIn(markdown),
      text: cut(markdown, page.maxCharacters),
      truncated: markdown.length > page.maxCharacters,
      links,
      charset,
    };
  });
}

const MAX_PROPERTIES = 60;
const MAX_JSON_LD = 20;
const MAX_JSON_LD_CHARS = 100_000;
const MAX_JSON_LD_DEPTH = 100;

/**
 * Reads the metadata of a page.
 * @param {Page} page
 */
export async function metadata(page) {
  return await guarded(page, ({ document, charset }) => {
    return {
      ok: /** @type {const} */ (true),
      title: clip(getTitle(document)),
      language: clip(getLanguage(document)),
      canonical: listLinks(document, 'canonical')[0]?.url ?? null,
      ...describe(document),
      openGraph: properties(document, /^(og|article|book|profile|music|video|product):/),
      twitter: properties(document, /^twitter:/),
      jsonLd: readJsonLd(document),
      icons: [...listLinks(document, 'icon'), ...listLinks(document, 'apple-touch-icon')].slice(
        0,
        MAX_PROPERTIES,
      ),
      feeds: listLinks(document, 'alternate').filter(({ type }) => /rss|atom|feed\+json/.test(type ?? '')),
      charset,
    };
  });
}

/** @param {string} html @param {string} url @returns {Document} with absolute URLs */
function parse(html, url) {
  const { document } = parseHTML(
    /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`,
  );
  const base = absolute(document.querySelector('base[href]')?.getAttribute('href'), url) ?? url;
  for (const [selector, name] of [
    ['a[href], area[href], link[href]', 'href'],
    ['img[src], iframe[src], video[src], audio[src], source[src]', 'src'],
  ]) {
    for (const element of document.querySelectorAll(String(selector))) {
      const address = absolute(element.getAttribute(String(name)), base);
      if (address === null) element.removeAttribute(String(name));
      else element.setAttribute(String(name), address);
    }
  }
  return /** @type {Document} */ (/** @type {unknown} */ (document));
}

/**
 * @param {string | null | undefined} address
 * @param {string} base
 */
function absolute(address, base) {
  const text = address?.trim() ?? '';
  if (text === '' || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  return ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) ? url.href : null;
}

/** @param {Element} root @returns {Link[]} each URL once */
function linksIn(root) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const element of root.querySelectorAll('a[href]')) {
    const href = element.getAttribute('href') ?? '';
    if (
      !/^https?:/.test(href) ||
      href.length > MAX_FIELD ||
      /nofollow/.test(element.getAttribute('rel') ?? '')
    )
      continue;
    const text = (element.textContent ?? '')
      .slice(0, 10 * MAX_LINK_TEXT)
      .replace(/\s+/g, ' ')
      .trim();
    if (!found.get(href)) found.set(href, text.slice(0, MAX_LINK_TEXT));
  }
  return [...found].map(([url, text]) => ({ url, text }));
}

/** @param {Document} document */
function describe(document) {
  return {
    description: clip(meta(document, 'description') ?? meta(document, 'og:description')),
    author: clip(meta(document, 'author') ?? meta(document, 'article:author')),
    siteName: clip(meta(document, 'og:site_name') ?? meta(document, 'application-name')),
    published: clip(meta(document, 'article:published_time') ?? meta(document, 'date')),
  };
}

/** @param {Document} document @param {string} name */
function meta(document, name) {
  for (const attribute of ['name', 'property', 'itemprop']) {
    const content = document.querySelector(`meta[${attribute}="${name}" i]`)?.getAttribute('content')?.trim();
    if (content) return content;
  }
  return undefined;
}

/** @param {Document} document @param {RegExp} wanted */
function properties(document, wanted) {
  /** @type {Map<string, string>} */
  const found = new Map();
  for (const element of document.querySelectorAll('meta')) {
    const name = (element.getAttribute('property') ?? element.getAttribute('name') ?? '').toLowerCase();
    if (found.size < MAX_PROPERTIES && name.length <= 100 && wanted.test(name) && !found.has(name))
      found.set(name, (element.getAttribute('content') ?? '').slice(0, MAX_FIELD));
  }
  return [...found].map(([property, content]) => ({ property, content }));
}

/** @param {Document} document @param {string} rel */
function listLinks(document, rel) {
  return [...document.querySelectorAll(`link[rel~="${rel}" i][href]`)]
    .slice(0, MAX_PROPERTIES)
    .map((element) => ({
      url: (element.getAttribute('href') ?? '').slice(0, MAX_FIELD),
      type: clip(element.getAttribute('type')),
      title: clip(element.getAttribute('title')),
      sizes: clip(element.getAttribute('sizes')),
    }));
}

/** @param {Document} document @returns {unknown[]} */
function readJsonLd(document) {
  /** @type {unknown[]} */
  const found = [];
  let characters = 0;
  for (const element of document.querySelectorAll('script[type="application/ld+json" i]')) {
    const text = element.textContent ?? '';
    characters += text.length;
    if (found.length === MAX_JSON_LD || characters > MAX_JSON_LD_CHARS) break;
    try {
      const facts = parseExactJson(text);
      // Deeply nested data is not page metadata, and could not be sent to the gateway.
      if (!isTooDeep(facts, MAX_JSON_LD_DEPTH)) found.push(facts);
    } catch {
      // Invalid JSON-LD is common; keep the blocks that parse.
    }
  }
  return found;
}

/** @param {Document} document */
function getTitle(document) {
  return (
    document.querySelector('title')?.textContent?.replace(/\s+/g, ' ').trim() ||
    meta(document, 'og:title') ||
    document.querySelector('h1')?.textContent?.replace(/\s+/g, ' ').trim() ||
    ''
  );
}

/** @param {Document} document */
function getLanguage(document) {
  return document.documentElement?.getAttribute('lang') ?? meta(document, 'og:locale') ?? null;
}

/** @param {string | null | undefined} text */
function clip(text) {
  const trimmed = text?.trim().slice(0, MAX_FIELD);
  return trimmed ? trimmed : null;
}

/**
 * Decodes and parses a page, and refuses one that exhausts the stack of a parser.
 * @template T
 * @param {Page} page
 * @param {(parsed: { document: Document, charset: string }) => T} work
 * @returns {Promise<T | Refused>}
 */
async function guarded({ bytes, contentType, url }, work) {
  const { text, charset } = await decodeText(bytes, contentType);
  try {
    return work({ document: parse(text, url), charset });
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, message: 'The page is nested too deeply.' };
    throw error;
  }
}

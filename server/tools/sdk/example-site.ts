import type { OutboundFetch } from '../../platform/ports/outbound-fetch';

const HTML = 'text/html; charset=utf-8';
const PARAGRAPH =
  'This domain is for use in illustrative examples in documents. You may use it in literature without prior coordination or asking for permission, and nobody minds that it is read by machines.';

const page = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><title>${title}</title><meta name="description" content="For examples."><meta property="og:title" content="${title}"><link rel="canonical" href="https://example.com/"><link rel="icon" href="/favicon.ico"></head><body><nav><a href="/">Home</a> <a href="/about">About</a></nav><main><h1>${title}</h1>${body}</main></body></html>`;

const PAGES: Record<string, [contentType: string, body: () => string]> = {
  '/': [
    HTML,
    () => page('Example Domain', `<p>${PARAGRAPH}</p><p><a href="/about">More information</a></p>`),
  ],
  '/about': [
    HTML,
    () => page('About', `<p>${PARAGRAPH}</p><p><a href="/missing">A page that is gone</a></p>`),
  ],
  '/data.json': ['application/json', () => '{"hello":"world","numbers":[1,2,3]}'],
  '/robots.txt': [
    'text/plain',
    () => 'User-agent: *\nDisallow: /private\nSitemap: https://example.com/sitemap.xml\n',
  ],
  '/sitemap.xml': [
    'application/xml',
    () =>
      '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://example.com/</loc><lastmod>2026-01-01</lastmod></url><url><loc>https://example.com/about</loc></url></urlset>',
  ],
  // The largest pages that a reader accepts, for the test that no call blocks another.
  '/heavy': [HTML, () => page('Heavy', `<p>${PARAGRAPH} <a href="/about">x</a></p>`.repeat(22_000))],
  '/heavy.json': ['application/json', () => JSON.stringify(Array(60_000).fill(1))],
  '/heavy-head': ['text/html', () => '<meta name=charset content=x>'.repeat(36_000)],
  '/heavy.txt': ['text/plain', () => 'word '.repeat(200_000)],
};

/** A fake example.com for the examples of tools, so that tests need no network. */
export const exampleSite: OutboundFetch = async (input, init) => {
  const { origin, pathname, href } = new URL(input instanceof Request ? input.url : input);
  const found = origin === 'https://example.com' ? PAGES[pathname] : undefined;
  const body = found ? found[1]() : 'There is nothing here.';
  const response = new Response(init?.method === 'HEAD' ? null : body, {
    status: found ? 200 : 404,
    headers: { 'content-type': found?.[0] ?? 'text/plain' },
  });
  Object.defineProperty(response, 'url', { value: href });
  return response;
};

import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortenTimers } from '@/test/support/control-timers';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import { createOutboundFetch } from '../../platform/ports/outbound';
import type { OutboundFetch } from '../../platform/ports/outbound-fetch';
import { OutboundGuard } from '../../platform/ports/outbound-guard';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';

const WORDS =
  'These are the words of a story that somebody wrote for others to read, line after line, with commas. ';
const ARTICLE = `<!doctype html><html lang="en-GB"><head><title>Bees | The Daily</title>
<meta name="author" content="Ann Author"><meta name="description" content="On bees.">
<meta property="og:title" content="Bees"><meta property="og:image" content="https://cdn.test/b.png"><meta name="twitter:card" content="summary">
<link rel="canonical" href="/bees"><link rel="icon" href="/i.png" sizes="32x32"><link rel="alternate" type="application/rss+xml" href="/feed" title="Feed">
<script type="application/ld+json">{"@type":"Article","headline":"Bees"}</script><script type="application/ld+json">broken{</script></head>
<body><nav><a href="/menu">MENU-ENTRY</a></nav><article><h1>Bees</h1><h2>Honey</h2>${`<p>${WORDS.repeat(3)}<a href="more">more</a></p>`.repeat(4)}
<table><tr><th>Bee</th><th>Count</th></tr><tr><td>Worker</td><td>9</td></tr></table><script>alert('SCRIPT-TEXT')</script></article><footer>FOOTER-TEXT</footer></body></html>`;
const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
/** Paths with the type and the bytes of a page, and with the title and charset of browsers. */
const LEGACY: Record<string, [string, string, string, string]> = {
  '/cp1252': [
    'text/html; charset=ISO-8859-1',
    '<title>\x8050 \x93a\x94 \x85</title>',
    '€50 “a” …',
    'windows-1252',
  ],
  '/late': [
    'text/html; charset=unknown',
    `<html><head><!-- <meta charset=koi8-r> --><script charset=big5>${' '.repeat(4_000)}</script><meta charset=gbk><title>\xc4\xe3\xba\xc3</title>`,
    '你好',
    'gbk',
  ],
  '/wrong': ['text/html', '<meta charset=utf-16><title>\xc3\xa9</title>', 'é', 'utf-8'],
  '/xhtml': [
    'application/xhtml+xml',
    '<?xml version="1.0" encoding="windows-1250"?><html><head><title>\xb3\xf3d\xbf</title></head></html>',
    'łódż',
    'windows-1250',
  ],
  '/bom': ['text/html; charset=gbk', '\xef\xbb\xbf<title>\xc3\xa9</title>', 'é', 'utf-8'],
  '/undeclared': ['text/html', '<title>caf\xe9 \x97</title>', 'café —', 'windows-1252'],
};

let site: FakeSite;
let fetch: OutboundFetch;
let files: TestFiles;
const answer = (response: ServerResponse, type: string, body: string | Buffer, status = 200) =>
  void response.writeHead(status, { 'content-type': type }).end(body);

beforeAll(async () => {
  site = await startFakeSite((request, response) => {
    const path = request.url ?? '/';
    if (path === '/article') return answer(response, 'text/html', ARTICLE);
    if (path === '/moved') return void response.writeHead(301, { location: '/article' }).end();
    if (path === '/latin1')
      return answer(
        response,
        'text/html; charset=iso-8859-1',
        Buffer.from(`<title>Grüße</title><p>${WORDS}ä`, 'latin1'),
      );
    if (path === '/meta-charset')
      return answer(
        response,
        'text/html',
        Buffer.from(`<meta charset="windows-1252"><title>Grüße</title>`, 'latin1'),
      );
    const legacy = LEGACY[path];
    if (legacy) return answer(response, legacy[0], Buffer.from(legacy[1], 'latin1'));
    if (path === '/utf8') return answer(response, 'text/html', '<title>日本 Grüße</title><p>日本語</p>');
    if (path === '/plain') return answer(response, 'text/plain', 'Just text.');
    if (path === '/pdf') return answer(response, 'application/pdf', '%PDF-1.7');
    if (path === '/image') return answer(response, 'image/png', Buffer.from([137, 80, 78, 71, 1, 2, 3]));
    if (path === '/json') return answer(response, 'application/json', '{"a":[1,2]}');
    if (path === '/error') return answer(response, 'text/html', 'oops', 503);
    if (path === '/large') return answer(response, 'text/html', Buffer.alloc(6 * 1024 * 1024, 'a'));
    if (path === '/large-text') return answer(response, 'text/plain', Buffer.alloc(2 * 1024 * 1024, 'a'));
    if (path === '/deep') return answer(response, 'text/html', '<div>'.repeat(20_000));
    if (path === '/deep-json') return answer(response, 'application/json', DEEP);
    if (path === '/deep-facts')
      return answer(
        response,
        'text/html',
        `<title>Deep</title><script type="application/ld+json">${DEEP}</script><script type="application/ld+json">{"@type":"Thing"}</script>`,
      );
    if (path === '/echo') return answer(response, 'application/json', JSON.stringify(request.headers));
    return answer(response, 'text/html', 'nothing', 404);
  });
  fetch = createOutboundFetch({
    guard: new OutboundGuard({ allow: [{ host: '127.0.0.1', port: site.port }] }),
  });
  files = await createTestFiles();
});
afterAll(async () => {
  await Promise.all([site.close(), files.remove()]);
});

const run = async (skill: string, path: string, more: object = {}) =>
  (await runSkill(tool, skill, { url: `${site.origin}${path}`, ...more }, { fetch, files })).output;

describe('read', () => {
  it('returns the article as Markdown, without menu, footer and scripts, with absolute links', async () => {
    const { markdown, ...said } = await run('read', '/moved');
    expect(said).toMatchObject({
      url: `${site.origin}/article`,
      title: expect.stringContaining('Bees'),
      byline: 'Ann Author',
      language: 'en-GB',
      truncated: false,
      links: [{ text: 'more', url: `${site.origin}/more` }],
    });
    expect(markdown).toContain('## Honey');
    expect(markdown).toContain(`[more](${site.origin}/more)`);
    expect(markdown).toContain('| Worker | 9 |');
    for (const text of ['MENU-ENTRY', 'FOOTER-TEXT', 'SCRIPT-TEXT']) expect(markdown).not.toContain(text);
    expect(said.words).toBeGreaterThan(200);
  });

  it('returns the whole page if requested, and cuts it at the limit', async () => {
    expect((await run('read', '/article', { whole_page: true })).markdown).toContain('MENU-ENTRY');
    const cut = await run('read', '/article', { max_characters: 200 });
    expect(cut.truncated).toBe(true);
    expect(cut.markdown.length).toBeLessThanOrEqual(200);
  });

  it.each(['/latin1', '/meta-charset', '/utf8'])('detects the character set of %s', async (path) => {
    expect((await run('read', path)).title).toContain('Grüße');
  });

  it('reads plain text too', async () => {
    expect((await run('read', '/plain')).markdown).toBe('Just text.');
  });

  it.each([
    ['/pdf', 'use pdf.extract_text'],
    ['/image', 'use image.inspect'],
    ['/json', 'use web-reader.fetch'],
    ['/missing', 'The page does not exist (status 404).'],
    ['/error', 'The site responded with status 503.'],
    ['/large', 'is larger than 5 MiB'],
  ])('reports why %s cannot be read, and what to do', async (path, message) => {
    await expect(run('read', path)).rejects.toThrow(message);
  });

  it('is ended on a page designed to break parsers', async () => {
    // The time limit ends it, as reading the page takes longer.
    shortenTimers(20_000);
    await expect(run('read', '/deep')).rejects.toThrow('needs more than 20 s of computing');
  });

  it('refuses addresses that are not web URLs', () => {
    const { input } = tool.skills[0] ?? {};
    for (const url of ['file:///etc/passwd', 'javascript:alert(1)', '', 'http://', 'ftp://x.test/'])
      expect([url, input?.safeParse({ url }).success]).toEqual([url, false]);
    expect(input?.safeParse({ url: 'example.com/page' }).data).toMatchObject({
      url: 'https://example.com/page',
    });
    expect(input?.safeParse({ url: 'example.com:8080' }).data).toMatchObject({
      url: 'https://example.com:8080',
    });
  });
});

it.each(Object.keys(LEGACY))(
  'decodes %s as browsers do, in each skill, and names the charset',
  async (path) => {
    const [, , title, charset] = LEGACY[path] ?? [];
    expect(await run('read', path)).toMatchObject({ title, charset });
    expect(await run('metadata', path)).toMatchObject({ title, charset });
    expect(await run('fetch', path)).toMatchObject({
      text: expect.stringContaining(`<title>${title}</title>`),
      charset,
    });
  },
);

describe('metadata', () => {
  it('returns the metadata of a page', async () => {
    expect(await run('metadata', '/article')).toMatchObject({
      title: 'Bees | The Daily',
      description: 'On bees.',
      canonical: `${site.origin}/bees`,
      author: 'Ann Author',
      open_graph: [{ property: 'og:title', content: 'Bees' }, { property: 'og:image' }],
      twitter: [{ property: 'twitter:card', content: 'summary' }],
      json_ld: [{ '@type': 'Article', headline: 'Bees' }],
      icons: [{ url: `${site.origin}/i.png`, sizes: '32x32' }],
      feeds: [{ url: `${site.origin}/feed`, type: 'application/rss+xml' }],
    });
  });
});

it('omits data nested deeper than an output may be, and returns the rest', async () => {
  expect(await run('metadata', '/deep-facts')).toMatchObject({
    title: 'Deep',
    json_ld: [{ '@type': 'Thing' }],
  });
  expect(await run('fetch', '/deep-json')).toMatchObject({ text: DEEP, json: null });
});

describe('fetch', () => {
  it('returns text, JSON and the status of a failure unchanged', async () => {
    expect(await run('fetch', '/json')).toMatchObject({
      status: 200,
      ok: true,
      text: '{"a":[1,2]}',
      json: { a: [1, 2] },
    });
    expect(await run('fetch', '/missing')).toMatchObject({
      status: 404,
      ok: false,
      text: 'nothing',
      json: null,
    });
    const head = await run('fetch', '/article', { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, text: null });
    expect(head.charset).toBeUndefined();
  });

  it('fails if a body breaks off before it is saved', async () => {
    const body = new ReadableStream({ start: (stream) => stream.error(new Error('cut')) });
    const broken = async () => new Response(body, { headers: { 'content-type': 'image/png' } });
    const input = { url: 'https://example.com/' };
    await expect(runSkill(tool, 'fetch', input, { files, fetch: broken })).rejects.toThrow('cut');
  });

  it('saves a body that is not text as an asset', async () => {
    const { asset, text } = await run('fetch', '/image');
    expect(text).toBeNull();
    expect(asset).toMatchObject({ filename: 'image', content_type: 'image/png', size_bytes: 7 });
    expect([...(await files.readBytes(asset.asset_id))].slice(0, 4)).toEqual([137, 80, 78, 71]);
  });

  it("sends the caller's headers, except those for routing and framing", async () => {
    expect((await run('fetch', '/echo', { headers: { 'X-Mine': 'yes' } })).json).toMatchObject({
      'x-mine': 'yes',
    });
    for (const name of ['Host', 'Content-Length', 'X-Forwarded-For', 'Proxy-Authorization'])
      await expect(run('fetch', '/echo', { headers: { [name]: 'x' } })).rejects.toThrow('cannot be set');
  });

  it('refuses more text than an output can hold', async () => {
    await expect(run('fetch', '/large-text')).rejects.toThrow('larger than 1 MiB');
  });
});

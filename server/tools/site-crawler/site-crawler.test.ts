import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { skipPauses } from '@/test/support/control-timers';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { measureCpuMs } from '@/test/support/measure-cpu-ms';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import { createOutboundFetch } from '../../platform/ports/outbound';
import type { OutboundFetch } from '../../platform/ports/outbound-fetch';
import { OutboundGuard } from '../../platform/ports/outbound-guard';
import type { Checkpoint } from '../sdk/skill-context';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';
import { matches } from './rules.mjs';

const PAGES = 60;
let site: FakeSite;
let fetch: OutboundFetch;
let files: TestFiles;
let robots: { status: number; text: string };

/** Page n links to 2n+1 and 2n+2, and to a few that must not be read. */
function treePage(at: number): string {
  const children = [2 * at + 1, 2 * at + 2].filter((child) => child < PAGES);
  const links = children.map((child) => `<a href="/tree/${child}?x=1#part">Child ${child}</a>`).join(' ');
  return `<title>Page ${at}</title><body>${links} <a href="/tree/0?x=1">top</a> <a href="/private/${at}">p</a> <a href="https://elsewhere.invalid/">out</a> <a href="/file.pdf">f</a> <a rel="nofollow" href="/nofollow">n</a><p>Words of page ${at}.</p>`;
}

beforeAll(async () => {
  const html = (response: ServerResponse, body: string | Buffer, status = 200) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end(body);
  site = await startFakeSite((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://x');
    if (pathname === '/robots.txt') return void response.writeHead(robots.status).end(robots.text);
    const tree = /^\/tree\/(\d+)$/.exec(pathname)?.[1];
    if (tree !== undefined) return html(response, treePage(Number(tree)));
    if (pathname === '/mixed')
      return html(
        response,
        '<a href="/moved">m</a><a href="/away">w</a><a href="/gone">gone</a><a href="/image">i</a><a href="/into-private">x</a><a href="http://no-such.invalid/">no</a><a href="/closed">c</a>',
      );
    if (pathname === '/moved') return void response.writeHead(301, { location: '/target' }).end();
    if (pathname === '/away')
      return void response.writeHead(302, { location: 'https://elsewhere.invalid/' }).end();
    if (pathname === '/into-private') return void response.writeHead(302, { location: '/private/x' }).end();
    if (pathname === '/target') return html(response, '<title>Target</title>moved here');
    if (pathname === '/image') return void response.writeHead(200, { 'content-type': 'image/png' }).end('x');
    if (pathname === '/closed') return html(response, 'no', 403);
    if (pathname === '/index.xml')
      return void response.end(
        `<sitemapindex><sitemap><loc>${site.origin}/a.xml</loc></sitemap><sitemap><loc>${site.origin}/b.xml.gz</loc></sitemap><sitemap><loc>${site.origin}/c.xml</loc></sitemap></sitemapindex>`,
      );
    if (pathname === '/a.xml')
      return void response.end(
        `<urlset><url><loc>${site.origin}/one?a=1&amp;b=2</loc><lastmod>2026-02-03</lastmod></url><url><loc><![CDATA[${site.origin}/two]]></loc></url></urlset>`,
      );
    if (pathname === '/b.xml.gz')
      return void response.end(
        gzipSync(
          `<urlset>${Array.from({ length: 10 }, (_, at) => `<url><loc>${site.origin}/z${at}</loc></url>`).join('')}</urlset>`,
        ),
      );
    if (pathname === '/legacy.xml')
      return void response
        .writeHead(200, { 'content-type': 'text/plain' })
        .end(
          Buffer.from(
            `<?xml version="1.0" encoding="iso-8859-2"?><urlset><url><loc>${site.origin}/\xb3</loc></url></urlset>`,
            'latin1',
          ),
        );
    if (pathname === '/legacy')
      return html(response, Buffer.from('<meta charset=gbk><title>\xc4\xe3</title>\xba\xc3', 'latin1'));
    if (pathname === '/c.xml') return void response.end(gzipSync(Buffer.alloc(64 * 1024 * 1024)));
    return html(response, 'gone', 404);
  });
  fetch = createOutboundFetch({
    guard: new OutboundGuard({ allow: [{ host: '127.0.0.1', port: site.port }] }),
  });
  files = await createTestFiles();
});
beforeEach(() => {
  robots = { status: 200, text: 'User-agent: *\nDisallow: /private\n' };
  site.requests.length = 0;
});
afterAll(async () => {
  await Promise.all([site.close(), files.remove()]);
});

const run = (skill: string, path: string, more: object = {}, checkpoint?: Checkpoint) =>
  runSkill(
    tool,
    skill,
    { url: `${site.origin}${path}`, ...more },
    { fetch, files, ...(checkpoint ? { checkpoint } : {}) },
  );
const paths = () => site.requests.filter(({ method }) => method === 'GET').map(({ url }) => url ?? '');

describe('crawl', () => {
  it('reads each page of a site once, reports each, and saves their text', { timeout: 120_000 }, async () => {
    const { output, usage, logs, progress } = await run('crawl', '/tree/0?x=1', { max_pages: 100 });
    expect(output).toMatchObject({
      pages_read: PAGES,
      complete: true,
      start_url: `${site.origin}/tree/0?x=1`,
    });
    expect(usage).toEqual({ units: PAGES });
    expect(output.pages[0]).toEqual({
      url: `${site.origin}/tree/0?x=1`,
      title: 'Page 0',
      status: 200,
      words: expect.any(Number),
      depth: 0,
      error: null,
      charset: 'utf-8',
    });
    expect(Math.max(...output.pages.map(({ depth }: { depth: number }) => depth))).toBe(5);
    expect(logs).toHaveLength(PAGES);
    expect(logs[0]).toMatch(/^1: http:\/\/127\.0\.0\.1:\d+\/tree\/0\?x=1 \(200, \d+ words\)$/);
    expect(progress.at(-1)).toBe(1);
    const lines = (await files.readBytes(output.text.asset_id)).toString().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).title)).toEqual(
      output.pages.map(({ title }: { title: string }) => title),
    );
    expect(JSON.parse(lines[3] ?? '').text).toContain('Words of page 3.');
    expect(paths().filter((path) => path.startsWith('/tree'))).toHaveLength(PAGES);
    expect(paths().filter((path) => /private|nofollow|pdf/.test(path))).toEqual([]);
  });

  it('decodes pages as browsers do, and names the charset', async () => {
    const { output } = await run('crawl', '/legacy');
    expect(output.pages).toMatchObject([{ title: '你', charset: 'gbk' }]);
    const line = (await files.readBytes(output.text.asset_id)).toString();
    expect(JSON.parse(line)).toMatchObject({
      title: '你',
      text: expect.stringContaining('好'),
      charset: 'gbk',
    });
  });

  it('resumes from its checkpoint, without reading pages again', async () => {
    let stored: unknown;
    const stop = new AbortController();
    const checkpoint: Checkpoint = {
      load: async () => undefined,
      save: async (state) => {
        stored = JSON.parse(JSON.stringify(state));
        if ((stored as { next: number }).next >= 20) stop.abort(new Error('killed'));
      },
    };
    const services = { fetch, files, checkpoint, signal: stop.signal };
    const input = { url: `${site.origin}/tree/0?x=1`, max_pages: 100 };
    await expect(runSkill(tool, 'crawl', input, services)).rejects.toThrow('killed');
    const resumed = { load: async () => stored, save: async () => undefined };
    const { output, usage, logs } = await runSkill(tool, 'crawl', input, {
      fetch,
      files,
      checkpoint: resumed,
    });
    expect([output.pages_read, usage]).toEqual([PAGES, { units: PAGES }]);
    expect(logs[0]).toMatch(/^Resuming after an interruption, with 2\d pages already read$/);
    expect(paths().filter((path) => path.startsWith('/tree')).length).toBeLessThanOrEqual(PAGES + 1);
    const lines = (await files.readBytes(output.text.asset_id)).toString().trim().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).url)).size).toBe(PAGES);
  });

  it('respects its limits: pages, depth, patterns', async () => {
    const few = await run('crawl', '/tree/0?x=1', { max_pages: 3 });
    expect(few.output).toMatchObject({ pages_read: 3, complete: false });
    expect(few.usage).toEqual({ units: 3 });
    expect((await run('crawl', '/tree/0?x=1', { max_depth: 2 })).output.pages_read).toBe(7);
    const chosen = await run('crawl', '/tree/0?x=1', {
      include: ['/tree/1?', '/tree/*?x=1$'],
      exclude: ['/tree/2?'],
    });
    expect(chosen.output.pages.map(({ url }: { url: string }) => url)).not.toContain(
      `${site.origin}/tree/2?x=1`,
    );
    expect(chosen.output.pages_read).toBeGreaterThan(10);
  });

  it('reports unreadable pages, follows redirects by its rules, and charges only pages it read', async () => {
    const { output, usage } = await run('crawl', '/mixed');
    const errorsByPath = Object.fromEntries(
      output.pages.map(({ url, error }: { url: string; error: string }) => [
        url.replace(site.origin, ''),
        error,
      ]),
    );
    expect(errorsByPath).toEqual({
      '/mixed': null,
      '/gone': 'the site responded with status 404',
      '/image': 'the content is image/png, not a web page',
      '/closed': 'the site responded with status 403',
      '/target': null,
    });
    expect(usage).toEqual({ units: 2 });
    expect(paths()).not.toContain('/private/x');
  });

  it('obeys robots.txt: disallowed pages, delay, and failures to read it', async () => {
    robots.text = 'User-agent: ToolGateway\nDisallow: /tree\n\nUser-agent: *\nAllow: /';
    await expect(run('crawl', '/tree/0')).rejects.toThrow('robots.txt of the site disallows');
    expect(paths()).toEqual(['/robots.txt']);
    robots.text = 'User-agent: *\nCrawl-delay: 0.5';
    const pauses = skipPauses();
    await run('crawl', '/tree/0', { max_pages: 3 });
    expect(pauses.filter((ms) => ms === 500).length).toBeGreaterThanOrEqual(2);
    robots.text = 'User-agent: *\nCrawl-delay: 3600';
    await expect(run('crawl', '/tree/0')).rejects.toThrow('too long for a crawl');
    robots = { status: 503, text: '' };
    await expect(run('crawl', '/tree/0')).rejects.toThrow('cannot be read now');
    robots = { status: 404, text: '' };
    expect((await run('crawl', '/tree/0', { max_pages: 1 })).output.pages_read).toBe(1);
  });

  it('fails without a charge if the start page cannot be read', async () => {
    await expect(run('crawl', '/gone')).rejects.toThrow('url: the site responded with status 404');
  });
});

describe('patterns', () => {
  it.each([
    ['/docs/', '/docs/a', true],
    ['/docs/', '/blog/docs/', false],
    ['/a/*/c', '/a/b/c/d', true],
    ['*.html$', '/x/y.html', true],
    ['*.html$', '/x/y.html?z', false],
    ['*?print=', '/x?print=1', true],
    ['(a+)+$', '/aaaa', false],
  ])('%s on %s', (pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it('cannot be made slow', async () => {
    const ms = await measureCpuMs(() => {
      for (let n = 0; n < 100; n++) matches(`${'*a'.repeat(100)}b$`, 'a'.repeat(2_000));
    });
    expect(ms).toBeLessThan(1_000);
  });
});

describe('sitemap', () => {
  it('follows indexes, gzip and entities, and survives a bomb', async () => {
    robots.text = `Sitemap: ${site.origin}/index.xml`;
    const { output } = await run('sitemap', '/tree/0');
    expect(output.source).toBe('sitemap');
    expect(output.urls.slice(0, 2)).toEqual([
      { url: `${site.origin}/one?a=1&b=2`, last_modified: '2026-02-03' },
      { url: `${site.origin}/two`, last_modified: null },
    ]);
    expect(output.urls).toHaveLength(12);
    expect(output.files.map(({ error }: { error: string }) => error)).toEqual([
      null,
      null,
      null,
      expect.stringContaining('20 MiB uncompressed'),
    ]);
    expect((await run('sitemap', '/tree/0', { max_urls: 5 })).output).toMatchObject({ complete: false });
  });

  it('decodes a sitemap in the charset that it declares', async () => {
    const { output } = await run('sitemap', '/legacy.xml');
    expect(output.urls).toEqual([{ url: `${site.origin}/%C5%82`, last_modified: null }]);
  });

  it('returns the links of the page if a site has no sitemap', async () => {
    const { output } = await run('sitemap', '/tree/0');
    expect(output.source).toBe('links');
    expect(output.urls.map(({ url }: { url: string }) => url)).toContain(`${site.origin}/tree/1?x=1#part`);
  });
});

describe('check_links', () => {
  it('finds broken links, with the page and text of each', async () => {
    const { output, usage } = await run('check_links', '/mixed');
    const text = (list: { url: string }[]) => list.map(({ url }) => url.replace(site.origin, '')).sort();
    expect(text(output.broken)).toEqual(['/away', '/gone', '/into-private', 'http://no-such.invalid/']);
    expect(text(output.unsure)).toEqual(['/closed']);
    expect(output.broken.find(({ url }: { url: string }) => url.endsWith('/gone'))).toMatchObject({
      status: 404,
      text: 'gone',
      found_on: `${site.origin}/mixed`,
    });
    expect(usage).toEqual({ units: 7 });
  });

  it('reads pages of the site within its limits', async () => {
    const { output } = await run('check_links', '/tree/0?x=1', {
      max_pages: 5,
      max_links: 10,
      external: false,
    });
    expect(output).toMatchObject({ pages: 5, checked: 10, complete: false });
  });
});

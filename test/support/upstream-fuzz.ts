import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { RawAnswer } from './raw-site';

/** Creates a seeded generator of numbers in [0, 1) (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const NASTY = [
  '\0',
  '\u00ff',
  '\ud83d',
  '__proto__',
  '%00',
  '<!--',
  ']]>',
  '"',
  "'",
  '\u202e',
  '{',
  '[',
  '&#0;',
  '../',
];
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const TYPES = [
  'text/html',
  'text/html; charset=utf-16',
  'text/html; charset=no-such',
  'application/json',
  'application/xml',
  'text/plain',
  'image/png',
  'image/svg+xml',
  'application/pdf',
  '',
  'x/y; charset="',
];
const STATUS = [
  'HTTP/1.1 200 OK',
  'HTTP/1.1 200 OK',
  'HTTP/1.1 200 OK',
  'HTTP/1.0 200',
  'HTTP/1.1 206 Partial',
  'HTTP/1.1 301 Moved',
  'HTTP/1.1 304 Same',
  'HTTP/1.1 404 Not Found',
  'HTTP/1.1 429 Slow',
  'HTTP/1.1 503 Away',
  'HTTP/1.1 999 Odd',
  'HTTP/1.1 099 Odd',
  'HTTP/9.9 200 OK',
  'nonsense',
];

/** Creates a structured response with a few defects. */
export function createAnswer(random: () => number): RawAnswer {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const body = encodeBody(createBody(random, pick), random, pick);
  const lines = [pick(STATUS), ...createHeaders(body, random, pick)];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = Buffer.concat([head, frame(body, random)]);
  if (random() < 0.1) mutate(bytes, random);
  const cut = random() < 0.15 ? Math.floor(random() * bytes.length) : bytes.length;
  const isReset = random() < 0.1;
  return (socket) => {
    socket.write(bytes.subarray(0, cut));
    if (isReset) setImmediate(() => socket.resetAndDestroy());
    else socket.end();
  };
}

type Pick = <T>(list: readonly T[]) => T;

interface Body {
  bytes: Buffer;
  encodings: string[];
  isChunked: boolean;
}

function createBody(random: () => number, pick: Pick): Buffer {
  const depth = pick([1, 10, 300, 5_000, 60_000]);
  const nasty = () => pick(NASTY);
  const link = () =>
    pick(['/', '/robots.txt', '/a', 'http://[', 'javascript:1', `/${'x'.repeat(3_000)}`, nasty()]);
  const html = () =>
    `<!doctype html><title>${nasty()}</title><meta charset=${nasty()}>${'<div>'.repeat(depth)}<a href="${link()}">${nasty()}</a>` +
    `<script type="application/ld+json">${json()}</script><img src="${link()}"><table>${'<tr><td>x'.repeat(random() * 500)}`;
  const json = () =>
    pick([
      `${'['.repeat(depth)}${']'.repeat(depth)}`,
      `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
      `{"__proto__":{"x":1},"n":1e999,"s":"${nasty()}"}`,
      '[1,2,',
      'null',
    ]);
  const robots = () =>
    `User-agent: ${pick(['*', nasty()])}\nDisallow: ${link()}\nSitemap: ${link()}\nCrawl-delay: ${nasty()}\n`;
  const sitemap = () =>
    `<?xml version="1.0"?>${'<urlset>'.repeat(Math.min(depth, 300))}<url><loc>${link()}</loc><lastmod>${nasty()}</lastmod></url>` +
    pick(['</urlset>', '', '<sitemapindex><sitemap><loc>/</loc>', '<!DOCTYPE a [<!ENTITY b "c">]>&b;']);
  const svg = () =>
    `<svg width="${pick(['1', '1e9', nasty()])}" height="9">${'<g>'.repeat(depth)}<image href="${link()}"/>`;
  const picture = () => {
    const bytes = Buffer.from(PNG);
    mutate(bytes, random);
    return bytes;
  };
  const made = pick([
    html,
    html,
    json,
    robots,
    sitemap,
    svg,
    picture,
    () => nasty().repeat(random() * 10_000),
  ])();
  return Buffer.isBuffer(made) ? made : Buffer.from(made, pick(['utf8', 'latin1', 'utf16le'] as const));
}

function encodeBody(plain: Buffer, random: () => number, pick: Pick): Body {
  let bytes = plain;
  const encodings: string[] = [];
  const times = random() < 0.3 ? Math.floor(random() * 8) : 0;
  for (let time = 0; time < times; time += 1) {
    const encoding = pick(['gzip', 'deflate', 'br', 'zstd', 'identity', 'x', '']);
    encodings.push(encoding);
    if (random() < 0.2) continue;
    if (encoding === 'gzip') bytes = gzipSync(bytes);
    if (encoding === 'deflate') bytes = deflateSync(bytes);
    if (encoding === 'br') bytes = brotliCompressSync(bytes.subarray(0, 20_000));
  }
  return { bytes, encodings, isChunked: random() < 0.3 };
}

function createHeaders({ bytes, encodings, isChunked }: Body, random: () => number, pick: Pick): string[] {
  const length = random() < 0.9 ? bytes.length : pick([0, -1, 1e18, bytes.length * 2, 'x']);
  const headers = [
    `Content-Type: ${pick(TYPES)}`,
    isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    'Connection: close',
    ...(encodings.length > 0 ? [`Content-Encoding: ${encodings.join(pick([', ', ',']))}`] : []),
    ...(random() < 0.2
      ? [`Location: ${pick(['/a', '//', 'http://[', '/caf\xe9', 'ftp://x/', '?', ''])}`]
      : []),
    ...(random() < 0.1 ? [`Retry-After: ${pick(['1', '-1', 'x', '1e9'])}`] : []),
    ...(random() < 0.1 ? [`X-Odd: ${pick(['a\0b', '\xff', 'a\rb', 'x'.repeat(9_000)])}`] : []),
    ...(random() < 0.1 ? [`Content-Disposition: attachment; filename=${pick(NASTY)}`] : []),
  ];
  return random() < 0.05 ? [...headers, ...headers] : headers;
}

function frame({ bytes, isChunked }: Body, random: () => number): Buffer {
  if (!isChunked) return bytes;
  const half = Math.floor(bytes.length / 2);
  const size = random() < 0.9 ? half.toString(16) : 'zz';
  return Buffer.concat([
    Buffer.from(`${size};a=b\r\n`),
    bytes.subarray(0, half),
    Buffer.from(`\r\n${(bytes.length - half).toString(16)}\r\n`),
    bytes.subarray(half),
    Buffer.from(bytes.length - half > 0 ? '\r\n0\r\nX-Late: y\r\n\r\n' : '\r\n'),
  ]);
}

function mutate(bytes: Buffer, random: () => number): void {
  for (let times = 0; times < 4 && bytes.length > 0; times += 1)
    bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
}

import { exchange } from '@/test/support/raw-socket';
import { baseUrl, createPerson, expect, provision, signIn, test } from './support/fixtures';

// What an attacker could make a proxy, a cache or a crawler in front of the gateway believe. Tests
// the production build's pages and API over raw sockets.

const EVIL = 'evil.example';
const port = () => Number(new URL(baseUrl()).port);
const host = () => new URL(baseUrl()).host;
const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n\r\n`;

/** Pages and routes served by Next, and one served by the front. */
const PATHS = ['/', '/docs', '/tools', '/sign-in', '/api/auth/session', '/llms.txt', '/nowhere', '/v1/tools'];

test('a request with an ambiguous length is at most one request for pages too @D6', async () => {
  for (const path of PATHS) {
    const smuggled = lines('GET /smuggled HTTP/1.1', `Host: ${host()}`);
    const post = (...headers: string[]) => lines(`POST ${path} HTTP/1.1`, `Host: ${host()}`, ...headers);
    for (const bytes of [
      `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${smuggled}`,
      `${post('Content-Length: 0', `Content-Length: ${smuggled.length}`)}${smuggled}`,
      `${post('Transfer-Encoding: chunked')}zz\r\n${smuggled}`,
    ]) {
      const { statuses } = await exchange(port(), [bytes], { quietMs: 1_000 });
      expect(statuses.length, `${path}: ${statuses}`).toBeLessThanOrEqual(1);
      expect(statuses.every((status) => status >= 400)).toBe(true);
    }
  }
});

test('an absolute-form target is served like its path, and redirects stay on this host @D13', async () => {
  for (const path of ['/docs', '/tools', '/llms.txt', '/v1/tools?limit=1', '/healthz']) {
    const ask = (target: string) =>
      exchange(port(), [lines(`GET ${target} HTTP/1.1`, `Host: ${host()}`, 'Connection: close')]);
    const [plain, absolute] = [await ask(path), await ask(`http://${EVIL}${path}`)];
    expect([path, absolute.statuses]).toEqual([path, plain.statuses]);
    expect(absolute.text).not.toContain(EVIL);
  }
  for (const target of [
    `//${EVIL}/`,
    `//${EVIL}/%2f..`,
    `/\\${EVIL}`,
    `///${EVIL}`,
    `/%5c${EVIL}`,
    `/${EVIL}//`,
  ]) {
    const { text } = await exchange(port(), [
      lines(`GET ${target} HTTP/1.1`, `Host: ${host()}`, 'Connection: close'),
    ]);
    const location = /^location: (.*)$/im.exec(text)?.[1]?.trim() ?? '/';
    expect(new URL(location, baseUrl()).origin, `${target} leads to ${location}`).toBe(baseUrl());
  }
});

/** Headers with which a client could influence a URL or a response. */
const UNTRUSTED_HEADERS = [
  ['X-Forwarded-Host', EVIL],
  ['X-Forwarded-Proto', 'gopher'],
  ['X-Forwarded-Port', '6666'],
  ['Forwarded', `host=${EVIL};proto=gopher`],
  ['X-Host', EVIL],
  ['X-Original-URL', '/dashboard'],
  ['X-Rewrite-URL', '/dashboard'],
  ['X-Forwarded-Prefix', `/${EVIL}`],
  ['X-Middleware-Rewrite', '/dashboard'],
  ['X-Middleware-Subrequest', 'middleware'],
  ['X-Nextjs-Data', '1'],
  ['X-Matched-Path', '/dashboard'],
  ['X-Invoke-Path', '/dashboard'],
  ['X-Invoke-Status', '500'],
  ['X-Now-Route-Matches', '1'],
] as const;

test('no client header changes the response or appears in it @D12', async ({ request }) => {
  for (const path of PATHS) {
    const plain = await request.get(path, { maxRedirects: 0 });
    for (const [name, value] of UNTRUSTED_HEADERS) {
      const forged = await request.get(path, { headers: { [name]: value }, maxRedirects: 0 });
      expect([path, name, forged.status()]).toEqual([path, name, plain.status()]);
      expect(await forged.text(), `${path} with ${name}`).not.toContain(EVIL);
      expect(JSON.stringify(forged.headers())).not.toContain(EVIL);
      expect(forged.headers().location).toBe(plain.headers().location);
    }
  }
});

test('an RSC payload is never cached as a response to a page request @D12', async ({ request }) => {
  for (const path of ['/', '/docs', '/tools', '/sign-in']) {
    const part = await request.get(path, { headers: { RSC: '1' } });
    const page = await request.get(path);
    expect(page.headers()['content-type']).toContain('text/html');
    for (const answer of [part, page]) {
      const { 'cache-control': caching = '', vary = '' } = answer.headers();
      // Either it is not cached, or the cache key includes the RSC header.
      expect(caching.includes('no-store') || /\brsc\b/i.test(vary), `${path}: ${caching}; ${vary}`).toBe(
        true,
      );
    }
  }
});

test('private responses are never cached @D12', async ({ page, request }) => {
  const { email, key } = await createPerson('caching', 1);
  await signIn(page, email);
  const authorized = { Authorization: `Bearer ${key}` };
  for (const path of [
    '/v1/keys',
    '/v1/billing/balance',
    '/v1/usage',
    '/v1/usage/errors',
    '/v1/usage/history',
    '/v1/usage/refusals',
    '/v1/account/requirements',
  ]) {
    const answer = await request.get(path, { headers: authorized });
    expect([path, answer.status(), answer.headers()['cache-control']]).toEqual([path, 200, 'no-store']);
  }
  for (const path of [
    '/dashboard',
    '/dashboard/keys',
    '/api/auth/session',
    '/dashboard/usage/calls.csv',
    '/dashboard/usage/refused.csv',
    '/api/trpc/keys.list',
  ]) {
    const answer = await page.request.get(path, { headers: { RSC: '1' } });
    expect(answer.headers()['cache-control'], path).toMatch(/no-store|private, no-cache/);
  }
  // The cacheable list is the same with and without a key. Requested before and after the keyed
  // request, because its statistics are refreshed now and then, and the first request after that
  // still gets the older ones.
  const before = await request.get('/v1/tools');
  const keyed = await request.get('/v1/tools', { headers: authorized });
  const after = await request.get('/v1/tools');
  expect(keyed.headers()['cache-control']).toContain('public');
  expect([await before.text(), await after.text()]).toContain(await keyed.text());
});

test('no URL is built from the Host header @D13', async ({ request }) => {
  const foreign = { Host: EVIL, 'X-Forwarded-Host': EVIL };
  const provisioned = await request.post('/v1/auth/provision', { headers: foreign });
  const { api_key: key, ...forged } = await provisioned.json();
  expect(forged.claim_url).toContain(`${baseUrl()}/claim?token=`);
  expect(JSON.stringify(forged)).not.toContain(EVIL);
  const authorized = { ...foreign, Authorization: `Bearer ${key}` };
  const job = await request.post('/v1/tools/call', {
    headers: { ...authorized, Prefer: 'wait=0' },
    data: { tool: 'diagnostics', skill: 'sleep', input: { seconds: 1 } },
  });
  expect((await job.json()).poll_url).toContain(`${baseUrl()}/v1/jobs/`);
  const upload = await request.post('/v1/assets/upload', {
    headers: authorized,
    multipart: { file: { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') } },
  });
  const { url, page_url } = await upload.json();
  expect([url, page_url].every((address: string) => address.startsWith(`${baseUrl()}/`))).toBe(true);
  for (const path of PATHS) {
    const { text } = await exchange(port(), [
      lines(`GET ${path} HTTP/1.1`, `Host: ${EVIL}`, 'Connection: close'),
    ]);
    expect(text, path).not.toContain(EVIL);
  }
  expect((await provision(request)).claimPath).toContain('/claim?token=');
});

import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createTestServer } from '@/test/support/test-server';
import { fetchAdapter } from './fetch-adapter';
import { nodeAdapter } from './node-adapter';

let harness: Harness;
let base = '';
let server: ReturnType<typeof createTestServer>;
let key = '';
beforeAll(async () => {
  harness = await startHarness();
  key = (await harness.person(1_000_000n)).key;
  server = createTestServer(nodeAdapter(harness.dispatcher));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await harness.close();
});

type Ask = (path: string, init?: RequestInit) => Promise<Response>;
const adapters: [string, Ask][] = [
  ['on Node, before Next', (path, init) => fetch(base + path, init)],
  [
    'as a Next route',
    (path, init) => fetchAdapter(harness.dispatcher)(new Request(`http://127.0.0.1${path}`, init)),
  ],
];
const bearer = () => ({ authorization: `Bearer ${key}` });
const json = (body: unknown) => ({
  method: 'POST',
  headers: { ...bearer(), 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

describe.each(adapters)('the dispatcher %s', (adapter, sendRequest) => {
  it('answers a call with cost, quota headers and no-store @E5', async () => {
    const response = await sendRequest(
      '/v1/tools/call',
      json({ tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } }),
    );
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('ratelimit')).toMatch(/^"minute";r=\d+;t=\d+, "hour";r=\d+;t=\d+/);
    expect(await response.json()).toMatchObject({
      status: 'success',
      billed: false,
      usage: { cost: 0, currency: 'USD' },
    });
  });

  it('streams the events of a call as they arrive, without buffering @E7', async () => {
    // Far longer than the test waits for its first line.
    const leaving = new AbortController();
    const response = await sendRequest('/v1/tools/call', {
      signal: leaving.signal,
      ...json({ tool: 'diagnostics', skill: 'sleep', input: { seconds: 300, log_every_seconds: 0.1 } }),
      headers: { ...bearer(), 'content-type': 'application/json', accept: 'text/event-stream' },
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('ratelimit-policy')).toContain('"minute"');
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    let text = '';
    const readTo = async (mark: string) => {
      while (!text.includes(mark)) {
        const part = await reader?.read();
        if (!part?.value) throw new Error(`The stream ended before ${mark}: ${text}`);
        text += decoder.decode(part.value);
      }
    };
    await readTo('event: progress');
    expect(text.indexOf('event: started')).toBe(text.indexOf('event: '));
    expect(harness.runtime.running.size).toBe(1);
    const jobId = /"job_id":"(job_[0-9a-z]+)"/.exec(text)?.[1];
    // The call becomes a job once its client has disconnected.
    leaving.abort();
    const cancel = () => sendRequest(`/v1/jobs/${jobId}/cancel`, { method: 'POST', headers: bearer() });
    await expect.poll(async () => (await cancel()).status).toBe(200);
    await expect.poll(() => harness.runtime.running.size).toBe(0);
  });

  it('requires a key, explains how to send one, and does not echo a wrong one', async () => {
    const none = await sendRequest('/v1/keys');
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="gateway"']);
    const wrong = await sendRequest('/v1/keys', { headers: { authorization: 'Bearer tg_live_wrong' } });
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"');
    expect(await wrong.text()).not.toContain('tg_live_wrong');
    const basic = await sendRequest('/v1/keys', { headers: { authorization: 'Basic YTpi' } });
    expect((await basic.json()).error.code).toBe('AUTH_FAILED');
  });

  it('checks the key before it parses the body', async () => {
    const response = await sendRequest('/v1/tools/call', {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(401);
  });

  it('ignores keys in the query, in other headers and in cookies @B13', async () => {
    for (const [path, headers] of [
      [`/v1/keys?api_key=${key}`, {}],
      ['/v1/keys', { 'x-api-key': key }],
      ['/v1/keys', { cookie: `api_key=${key}` }],
    ] as const)
      expect((await sendRequest(path, { headers })).status).toBe(401);
  });

  it('answers unknown paths and methods in the Error shape @D8', async () => {
    for (const path of ['/v1/nope', '/v1/', '/v1', '/V1/tools', '/v2/tools'])
      expect([path, (await sendRequest(path)).status]).toEqual([path, 404]);
    const method = await sendRequest('/v1/keys', { method: 'PATCH', headers: bearer() });
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'POST, GET, HEAD, OPTIONS']);
    expect(await method.json()).toMatchObject({
      status: 'error',
      error: { code: 'METHOD_NOT_ALLOWED', request_id: expect.any(String) },
    });
  });

  it('ignores a trailing slash on reads, and explains it on changes', async () => {
    const plain = await sendRequest('/v1/tools?limit=1');
    const slash = await sendRequest('/v1/tools/?limit=1');
    expect([slash.status, await slash.json()]).toEqual([200, await plain.json()]);
    expect((await sendRequest('/v1/tools//')).status).toBe(404);
    const created = await sendRequest('/v1/keys/', { method: 'POST', headers: bearer() });
    expect(created.status).toBe(404);
    expect(await created.json()).toMatchObject({
      error: { message: 'No route has this path. Did you mean POST /v1/keys?' },
    });
  });

  it('lists the methods of a path in answer to OPTIONS', async () => {
    const allow = async (path: string) =>
      (await sendRequest(path, { method: 'OPTIONS' })).headers.get('allow');
    expect(await allow('/v1/keys')).toBe('POST, GET, HEAD, OPTIONS');
    expect(await allow('/v1/tools/call')).toBe('POST, OPTIONS');
    expect(await allow('/v1/tools/math')).toBe('GET, HEAD, OPTIONS');
    expect(await allow('/mcp')).toBe('POST, OPTIONS');
    expect(await allow('/oauth/token')).toBe('POST, OPTIONS');
    expect(await allow('/healthz')).toBe('GET, HEAD, OPTIONS');
    expect(await allow('/v1/nope')).toBeNull();
  });

  it('refuses a compressed body with 415 and the accepted codings, before reading it', async () => {
    const body = gzipSync('{"tool":"diagnostics","skill":"echo","input":{"message":"hello"}}');
    for (const [path, type] of [
      ['/v1/tools/call', 'application/json'],
      ['/v1/assets/upload', 'multipart/form-data; boundary=b'],
      ['/oauth/token', 'application/x-www-form-urlencoded'],
      ['/oauth/register', 'application/json'],
    ] as const) {
      const headers = { ...bearer(), 'content-type': type, 'content-encoding': 'gzip' };
      const response = await sendRequest(path, { method: 'POST', headers, body });
      expect([path, response.status, response.headers.get('accept-encoding')]).toEqual([
        path,
        415,
        'identity',
      ]);
    }
    const headers = { ...bearer(), 'content-type': 'application/json', 'content-encoding': 'identity' };
    expect((await sendRequest('/v1/keys', { method: 'POST', headers, body: '{}' })).status).toBe(201);
  });

  it('answers a preflight without a key and allows provider keys by name @B16 @D8', async () => {
    const response = await sendRequest('/v1/tools/call', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://agent.example',
        'access-control-request-headers': 'authorization,x-provider-key-acme,x-other',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toContain('x-provider-key-acme');
    expect(response.headers.get('access-control-allow-headers')).not.toContain('x-other');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('caches discovery by ETag, and sends no body to HEAD @D8', async () => {
    for (const path of ['/v1/tools', '/v1/tools/math', '/openapi.json', '/llms-full.txt']) {
      const first = await sendRequest(path);
      const etag = first.headers.get('etag') as string;
      expect([path, first.status, first.headers.get('cache-control')]).toEqual([
        path,
        200,
        'public, max-age=60, stale-while-revalidate=300',
      ]);
      const again = await sendRequest(path, { headers: { 'if-none-match': `W/"x", ${etag}` } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const head = await sendRequest(path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(first.headers.get('ratelimit')).toBeNull();
    }
  });

  it('renders a discovery response once for concurrent requests, and caches no failure @F5', async () => {
    const { catalog } = harness.runtime;
    const list = vi.spyOn(catalog, 'list');
    const path = `/v1/tools?limit=${adapter.length}`;
    list.mockImplementationOnce(() => {
      throw new Error('broken');
    });
    expect((await sendRequest(path)).status).toBe(500);
    const answers = await Promise.all(Array.from({ length: 40 }, () => sendRequest(path)));
    expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(200));
    // The catalogue of a newly started gateway may change in between.
    expect(list.mock.calls.length).toBeLessThan(5);
    list.mockRestore();
  });

  it("uses the client's own request id only if it is harmless @C2", async () => {
    expect(
      (await sendRequest('/healthz', { headers: { 'x-request-id': 'trace-1' } })).headers.get('x-request-id'),
    ).toBe('trace-1');
    expect(
      (await sendRequest('/healthz', { headers: { 'x-request-id': 'a b<script>' } })).headers.get(
        'x-request-id',
      ),
    ).toMatch(/^req_/);
  });

  it('sends the security headers with every response @B19', async () => {
    for (const path of ['/v1/tools', '/v1/nope', '/openapi.json', '/v1/keys']) {
      const { headers } = await sendRequest(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('accepts a missing optional body, with and without a content type @D9', async () => {
    const bare = await sendRequest('/v1/keys', { method: 'POST', headers: bearer() });
    const typed = await sendRequest('/v1/keys', {
      method: 'POST',
      headers: { ...bearer(), 'content-type': 'application/json' },
    });
    expect([bare.status, typed.status]).toEqual([201, 201]);
    expect((await bare.json()).name).toBe('API key');
  });

  it('answers odd names in a path with 404, not with an error', async () => {
    for (const name of [
      '__proto__',
      'constructor',
      '..%2f..%2fetc',
      '%ff',
      '%E0%A4%A',
      '%F0%9F%A4%96',
      'x'.repeat(5000),
    ])
      expect([400, 404]).toContain((await sendRequest(`/v1/tools/${name}`)).status);
    for (const id of ['%00', '__proto__', "'%20OR%201=1", 'x'.repeat(3000)])
      expect([400, 404]).toContain((await sendRequest(`/v1/keys/${id}`, { headers: bearer() })).status);
  });

  it('answers a body that is too large', async () => {
    const response = await sendRequest('/v1/keys', {
      method: 'POST',
      headers: { ...bearer(), 'content-type': 'application/json' },
      body: 'x'.repeat(3 * 1024 * 1024),
    });
    expect(response.status).toBe(413);
  });
});

describe('addresses and the client address', () => {
  it('builds URLs from the settings, never from the Host header @D13', async () => {
    const response = await fetch(`${base}/v1/auth/provision`, {
      method: 'POST',
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    const body = await response.json();
    expect(body.claim_url).toMatch(/^http:\/\/gateway\.test\/claim\?token=clm_/);
  });

  it('ignores X-Forwarded-For in limits without a trusted proxy', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++)
      statuses.push(
        (
          await harness.request('POST', '/v1/auth/provision', {
            ip: '203.0.113.9',
            headers: { 'x-forwarded-for': `198.51.100.${i}` },
          })
        ).status,
      );
    expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
  });
});

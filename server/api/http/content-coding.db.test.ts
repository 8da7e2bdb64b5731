import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { openApiJson } from '../openapi/openapi';
import { chooseCoding } from './content-coding';

let harness: Harness;
let key: string;
beforeAll(async () => {
  harness = await startHarness({ listen: true });
  ({ key } = await harness.person(10_000_000n));
});
afterAll(() => harness.close());

interface Raw {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Avoids fetch, which decompresses responses and hides what was sent. */
function get(path: string, headers: Record<string, string>): Promise<Raw> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(harness.baseUrl + path, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

describe('content coding', () => {
  it.each(['/openapi.json', '/v1/tools', '/v1/tools/search?q=table'])(
    'compresses %s for a client that accepts it',
    async (path) => {
      const plain = await get(path, {});
      expect([plain.status, plain.headers['content-encoding']]).toEqual([200, undefined]);
      expect(plain.headers.vary).toBe('Accept-Encoding');
      const etags = new Set([plain.headers.etag]);
      for (const [coding, decode] of [
        ['br', brotliDecompressSync],
        ['gzip', gunzipSync],
      ] as const) {
        const answer = await get(path, { 'accept-encoding': coding });
        expect(answer.headers['content-encoding']).toBe(coding);
        expect(answer.headers['content-length']).toBe(String(answer.body.byteLength));
        expect(answer.body.byteLength).toBeLessThan(plain.body.byteLength / 3);
        expect(JSON.parse(decode(answer.body).toString())).toEqual(JSON.parse(plain.body.toString()));
        etags.add(answer.headers.etag);
      }
      expect(etags.size).toBe(3);
    },
  );

  it('answers 304 only to the ETag of the same coding', async () => {
    const accepted = { 'accept-encoding': 'br' };
    const { headers } = await get('/openapi.json', accepted);
    const etag = String(headers.etag);
    expect((await get('/openapi.json', { ...accepted, 'if-none-match': etag })).status).toBe(304);
    expect((await get('/openapi.json', { 'if-none-match': etag })).status).toBe(200);
  });

  it("compresses a key's long lists, but not the results of calls", async () => {
    for (let n = 0; n < 20; n += 1) await harness.addKey((await harness.person()).accountId);
    const authorization = `Bearer ${key}`;
    const made = Array.from({ length: 20 }, () => harness.request('POST', '/v1/keys', { key, json: {} }));
    await Promise.all(made);
    const list = await get('/v1/keys', { authorization, 'accept-encoding': 'gzip' });
    expect(list.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(list.body).toString()).keys).toHaveLength(21);
    const called = await harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'diagnostics', skill: 'echo', input: { message: 'x'.repeat(4_000) } },
      headers: { 'accept-encoding': 'gzip' },
    });
    expect([called.status, called.headers['content-encoding']]).toEqual([200, undefined]);
  });
});

it.each([
  [undefined, null],
  ['', null],
  ['*', null],
  ['identity', null],
  ['gzip', 'gzip'],
  ['gzip, br', 'br'],
  ['br;q=0.1, gzip;q=0.9', 'gzip'],
  ['br;q=0, gzip;q=0', null],
  ['GZIP ; Q=1', 'gzip'],
  ['br;q=nonsense', null],
] as const)('answers Accept-Encoding %s with %s', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding);
});

describe('If-Match', () => {
  it('is refused for another version and accepted for the current one', async () => {
    // No test calls this tool, so its statistics stay the same between two responses.
    const path = '/v1/tools/math';
    const { headers, body } = await get(path, {});
    const etag = String(headers.etag);
    const stale = await get(path, { 'if-match': '"stale"' });
    expect(stale.status).toBe(412);
    expect(JSON.parse(stale.body.toString()).error).toMatchObject({ code: 'PRECONDITION_FAILED' });
    // A weak validator never matches strongly (RFC 9110 section 13.1.1).
    expect((await get(path, { 'if-match': `W/${etag}` })).status).toBe(412);
    for (const match of [etag, `"x", ${etag}`, '*'])
      expect((await get(path, { 'if-match': match })).body).toEqual(body);
  });
});

it('serves the committed OpenAPI document without indentation, with its own URL', async () => {
  const text = (await get('/openapi.json', {})).body.toString();
  expect(text).toBe(JSON.stringify(JSON.parse(text)));
  const servers = [{ url: harness.baseUrl, description: 'This gateway' }];
  expect(JSON.parse(text)).toEqual({ ...JSON.parse(openApiJson()), servers });
});

it.each(['0x10', '1e2', ' 5', '+5', '5.0', '0', '501', ''])('refuses limit=%s', async (limit) => {
  const answer = await harness.request('GET', `/v1/tools?limit=${encodeURIComponent(limit)}`);
  expect(answer.status).toBe(400);
  expect(answer.body.error.fields).toMatchObject([
    {
      path: 'limit',
      message: expect.stringMatching(/^`limit` must be a whole number from 1 to 500(; got \d+)?\.$/),
    },
  ]);
});

it('reports the window with the fewest calls left in the single RateLimit fields', async () => {
  const fresh = await harness.person();
  const json = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };
  const first = await harness.request('POST', '/v1/tools/call', { key: fresh.key, json });
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '60', 'x-ratelimit-remaining': '59' });
  // 864 of 1,000 is a smaller share than 59 of 60, yet the minute runs out first.
  await harness.runtime.sql`update api_keys set window_used[2] = 135 where id = ${fresh.keyId}`;
  const second = await harness.request('POST', '/v1/tools/call', { key: fresh.key, json });
  expect(second.headers).toMatchObject({
    'ratelimit-limit': '60',
    'ratelimit-remaining': '58',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '58',
  });
  await harness.runtime.sql`update api_keys set window_used[2] = 990 where id = ${fresh.keyId}`;
  const third = await harness.request('POST', '/v1/tools/call', { key: fresh.key, json });
  expect(third.headers).toMatchObject({ 'ratelimit-limit': '1000', 'ratelimit-remaining': '9' });
});

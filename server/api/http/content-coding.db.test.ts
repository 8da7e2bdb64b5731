import { request as httpRequest } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '../../testing/harness';
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

/** Without fetch, which decompresses by itself and hides what was sent. */
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

describe('a client that accepts a content coding', () => {
  it.each(['/openapi.json', '/v1/tools', '/v1/tools/search?q=table'])('gets %s compressed', async (path) => {
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
  });

  it('is answered 304 for the ETag of its own coding alone', async () => {
    const accepted = { 'accept-encoding': 'br' };
    const { headers } = await get('/openapi.json', accepted);
    const etag = String(headers.etag);
    expect((await get('/openapi.json', { ...accepted, 'if-none-match': etag })).status).toBe(304);
    expect((await get('/openapi.json', { 'if-none-match': etag })).status).toBe(200);
  });

  it('gets its own long lists compressed, and answers to calls plain', async () => {
    for (let n = 0; n < 20; n += 1) await harness.addKey((await harness.person()).accountId);
    const authorization = `Bearer ${key}`;
    const made = Array.from({ length: 20 }, () => harness.ask('POST', '/v1/keys', { key, json: {} }));
    await Promise.all(made);
    const list = await get('/v1/keys', { authorization, 'accept-encoding': 'gzip' });
    expect(list.headers['content-encoding']).toBe('gzip');
    expect(JSON.parse(gunzipSync(list.body).toString()).keys).toHaveLength(21);
    const called = await harness.ask('POST', '/v1/tools/call', {
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
] as const)('Accept-Encoding %s is answered with %s', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding);
});

describe('If-Match', () => {
  it('on another version is refused, on the current one answered', async () => {
    // A tool that no test calls: its figures do not change between two answers.
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

it('a saved copy of the document leads to the gateway it came from', async () => {
  const { body } = await get('/openapi.json', {});
  expect(JSON.parse(body.toString()).servers).toEqual([
    { url: harness.baseUrl, description: 'This gateway' },
  ]);
});

it.each(['0x10', '1e2', ' 5', '+5', '5.0', '0', '501', ''])('limit=%s is refused', async (limit) => {
  const answer = await harness.ask('GET', `/v1/tools?limit=${encodeURIComponent(limit)}`);
  expect(answer.status).toBe(400);
  expect(answer.body.error.fields).toMatchObject([
    {
      path: 'limit',
      message: expect.stringMatching(/^`limit` must be a whole number from 1 to 500(; got \d+)?\.$/),
    },
  ]);
});

it('the single RateLimit fields are those of the window with the fewest calls left', async () => {
  const fresh = await harness.person();
  const json = { tool: 'diagnostics', skill: 'echo', input: { message: 'hi' } };
  const first = await harness.ask('POST', '/v1/tools/call', { key: fresh.key, json });
  expect(first.headers).toMatchObject({ 'ratelimit-limit': '60', 'x-ratelimit-remaining': '59' });
  // 864 of 1,000 are a smaller share than 59 of 60, yet the minute ends first.
  await harness.runtime.sql`update api_keys set hour_used = 135 where id = ${fresh.keyId}`;
  const second = await harness.ask('POST', '/v1/tools/call', { key: fresh.key, json });
  expect(second.headers).toMatchObject({
    'ratelimit-limit': '60',
    'ratelimit-remaining': '58',
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '58',
  });
  await harness.runtime.sql`update api_keys set hour_used = 990 where id = ${fresh.keyId}`;
  const third = await harness.ask('POST', '/v1/tools/call', { key: fresh.key, json });
  expect(third.headers).toMatchObject({ 'ratelimit-limit': '1000', 'ratelimit-remaining': '9' });
});

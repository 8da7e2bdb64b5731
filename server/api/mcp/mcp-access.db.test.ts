import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { connectMcp, readText } from '@/test/support/mcp-client';
import { createProbe } from '@/test/support/probe-tool';
import { readEvents } from '@/test/support/read-events';

const OPEN_ORIGIN = 'https://chat.example';
const probe = createProbe();
let harness: Harness;
beforeAll(async () => {
  const env = { MCP_ALLOWED_ORIGINS: OPEN_ORIGIN };
  harness = await startHarness({ listen: true, tools: [probe.tool], env });
});
afterAll(() => harness.close());

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const toolCall = (name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: args },
});
const PROBE_CALL = toolCall('call_tool', { tool: 'probe', skill: 'ok', input: { id: 'access' } });

interface Sent {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
}

const challenge = () =>
  `Bearer realm="gateway", resource_metadata="${harness.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="tools"`;

async function send(
  body: unknown,
  headers: Record<string, string> = {},
  method = 'POST',
  query = '',
): Promise<Sent> {
  const response = await fetch(`${harness.baseUrl}/mcp${query}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: method === 'POST' ? (typeof body === 'string' ? body : JSON.stringify(body)) : null,
  });
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const json = isStream ? (readEvents(text)[0]?.data ?? null) : text === '' ? null : JSON.parse(text);
  return { status: response.status, headers: response.headers, text, json };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('without a key', () => {
  it('a client can list everything and read what tools do', async () => {
    const mcp = await connectMcp(harness.baseUrl, '2026-07-28');
    expect((await mcp.client.listTools()).tools).toHaveLength(16);
    expect((await mcp.client.listPrompts()).prompts).toHaveLength(1);
    expect((await mcp.client.listResources()).resources.map(({ uri }) => uri)).toEqual(['tool://probe']);
    expect((await mcp.client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
    expect((await mcp.callTool('search_tools', { q: 'probe' })).isError).toBeFalsy();
    expect(readText(await mcp.callTool('get_tool', { tool: 'probe' })).name).toBe('probe');
    await mcp.close();
  });

  it('a tool that needs a key answers what to do, where models read it and ChatGPT starts OAuth', async () => {
    for (const name of [
      'call_tool',
      'get_job',
      'list_jobs',
      'cancel_job',
      'get_webhook_secret',
      'get_account',
      'get_balance',
      'get_usage',
      'get_receipt',
      'upload_asset',
      'list_assets',
      'delete_asset',
      'review_tool',
    ]) {
      const { status, json } = await send(toolCall(name));
      expect(status).toBe(200);
      expect(json.result).toMatchObject({
        isError: true,
        structuredContent: {
          error: { code: 'AUTH_REQUIRED', resolution_hint: expect.stringContaining('get_key') },
        },
        _meta: { 'mcp/www_authenticate': [challenge()] },
      });
    }
    expect(probe.runs('access')).toBe(0);
  });

  it('every request to /mcp?auth=required is answered 401, so that a client starts OAuth', async () => {
    for (const body of [INITIALIZE, { jsonrpc: '2.0', id: 1, method: 'tools/list' }, PROBE_CALL]) {
      const { status, headers, json } = await send(body, {}, 'POST', '?auth=required');
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe(challenge());
      expect(json).toMatchObject({
        id: body.id,
        error: {
          message: expect.stringContaining('OAuth'),
          data: { error: { code: 'AUTH_REQUIRED', resolution_hint: expect.stringContaining('Bearer') } },
        },
      });
    }
  });

  it('a provisioned key works at once on the same endpoint', async () => {
    const { body } = await harness.request('POST', '/v1/auth/provision', {});
    const { json } = await send(PROBE_CALL, bearer(body.api_key));
    expect(json.result.structuredContent).toMatchObject({ status: 'success', usage: { cost: 0 } });
    const { json: premium } = await send(
      toolCall('call_tool', { tool: 'probe', skill: 'ok_paid', input: {} }),
      bearer(body.api_key),
    );
    expect(premium.result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'CLAIM_REQUIRED', claim_url: body.claim_url } },
    });
  });

  it('get_key returns a key like provisioning, under the same limits, and how to set it', async () => {
    const { json } = await send(toolCall('get_key'));
    const { api_key, claim_url, set_up } = json.result.structuredContent;
    expect(set_up).toContain(`Authorization: Bearer ${api_key}`);
    expect(set_up).toContain(`${harness.baseUrl}/mcp`);
    const called = await send(PROBE_CALL, bearer(api_key));
    expect(called.json.result.structuredContent).toMatchObject({ status: 'success' });
    const balance = await harness.request('GET', '/v1/billing/balance', { key: api_key });
    expect(balance.body).toMatchObject({ plan: 'provisional' });
    expect(claim_url).toContain('/claim');
    const { settings } = harness.runtime;
    for (let taken = 0; taken < settings.provisionPerHour; taken++) await send(toolCall('get_key'));
    expect((await send(toolCall('get_key'))).json.result.structuredContent.error).toMatchObject({
      code: 'RATE_LIMIT_EXCEEDED',
      limit: 'hour',
    });
    const again = await send(toolCall('get_key'), bearer(api_key));
    expect(again.json.result.structuredContent.error.message).toContain('already set up');
  });
});

describe('an invalid key', () => {
  it.each([
    ['wrong', 'Bearer tg_live_0000000000000000000000000000000000000'],
    ['of another scheme', 'Basic dXNlcjpwYXNz'],
    ['malformed', 'Bearer a b'],
    ['without the scheme', 'tg_live_0000000000000000000000000000000000000'],
  ])('(%s) is answered 401 on every request, including initialize', async (_name, authorization) => {
    const runs = probe.runs('access');
    for (const body of [INITIALIZE, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, PROBE_CALL]) {
      const { status, headers, json } = await send(body, { authorization });
      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(headers.get('www-authenticate')).toContain('resource_metadata=');
      expect(json).toMatchObject({ id: body.id, error: { data: { error: { code: 'AUTH_FAILED' } } } });
    }
    expect(probe.runs('access')).toBe(runs);
  });

  it('runs nothing once it is revoked', async () => {
    const { key, keyId, accountId } = await harness.person();
    expect((await send(PROBE_CALL, bearer(key))).status).toBe(200);
    const { key: other } = await harness.addKey(accountId);
    expect((await harness.request('DELETE', `/v1/keys/${keyId}`, { key: other })).status).toBe(200);
    const runs = probe.runs('access');
    expect((await send(PROBE_CALL, bearer(key))).status).toBe(401);
    expect((await send(INITIALIZE, bearer(key))).status).toBe(401);
    expect(probe.runs('access')).toBe(runs);
  });

  it('cannot be replaced by an MCP session or a cookie', async () => {
    const { key } = await harness.person();
    const session = (await send(INITIALIZE, bearer(key))).headers.get('mcp-session-id') ?? '';
    expect(session).toMatch(/^[0-9a-f]{32}$/);
    const { json } = await send(PROBE_CALL, { 'mcp-session-id': session, cookie: `session=${key}` });
    expect(json.result.structuredContent.error.code).toBe('AUTH_REQUIRED');
  });
});

describe('the source of a request', () => {
  /** Fetch does not allow setting the Host header. */
  const sendTo = (host: string): Promise<number> =>
    new Promise((done, fail) => {
      const headers = { host, 'content-type': 'application/json' };
      const sent = httpRequest(`${harness.baseUrl}/mcp`, { method: 'POST', headers }, (response) => {
        response.resume();
        done(response.statusCode ?? 0);
      });
      sent.on('error', fail);
      sent.end(JSON.stringify(INITIALIZE));
    });

  it('may not be a foreign host name', async () => {
    const { port } = new URL(harness.baseUrl);
    expect(await sendTo(`127.0.0.1:${port}`)).toBe(200);
    expect(await sendTo(`localhost:${port}`)).toBe(200);
    expect(await sendTo(`[::1]:${port}`)).toBe(200);
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1.evil.example',
      'localhost.evil.example',
    ])
      expect(await sendTo(host)).toBe(403);
  });

  it('may be our own origin or an allowed one, and no other', async () => {
    const { port } = new URL(harness.baseUrl);
    for (const origin of [harness.baseUrl, `http://localhost:${port}`, OPEN_ORIGIN])
      expect((await send(INITIALIZE, { origin })).status).toBe(200);
    for (const origin of [
      'https://evil.example',
      'null',
      `https://127.0.0.1:${port}`,
      `${OPEN_ORIGIN}.evil.example`,
    ]) {
      const { status, json } = await send(INITIALIZE, { origin });
      expect(status).toBe(403);
      expect(json).toMatchObject({ id: null, error: { message: expect.stringContaining('origin') } });
    }
  });

  it("may be a browser: the preflight allows the transport's headers", async () => {
    const asked =
      'authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id';
    const response = await fetch(`${harness.baseUrl}/mcp`, {
      method: 'OPTIONS',
      headers: { origin: OPEN_ORIGIN, 'access-control-request-headers': asked },
    });
    expect(response.status).toBe(204);
    const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(', ');
    expect(allowed).toEqual(expect.arrayContaining(asked.split(', ')));
    const exposed = (await send(INITIALIZE)).headers.get('access-control-expose-headers')?.toLowerCase();
    for (const name of ['mcp-session-id', 'mcp-protocol-version', 'www-authenticate', 'x-request-id'])
      expect(exposed).toContain(name);
  });
});

describe('an invalid message', () => {
  it('as a batch is refused as a whole, so it cannot bypass the key check @F5', async () => {
    const { key } = await harness.person();
    const runs = probe.runs('access');
    for (const headers of [{}, bearer(key)]) {
      const { status, json } = await send([PROBE_CALL, PROBE_CALL], headers);
      expect(status).toBe(400);
      expect(json).toMatchObject({
        id: null,
        error: { code: -32600, message: expect.stringContaining('batch') },
      });
    }
    expect(probe.runs('access')).toBe(runs);
  });

  it.each(['2026-07-28', '2099-01-01'])(
    'initialize negotiates although its header names %s',
    async (version) => {
      const { status, json } = await send(INITIALIZE, { 'mcp-protocol-version': version });
      expect(status).toBe(200);
      expect(json).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    },
  );

  it('of an unknown version is refused with its id', async () => {
    const list = { jsonrpc: '2.0', id: 'list-1', method: 'tools/list', params: {} };
    const { status, json } = await send(list, { 'mcp-protocol-version': '2099-01-01' });
    expect(status).toBe(400);
    expect(json).toMatchObject({ id: 'list-1', error: { message: expect.stringContaining('2099-01-01') } });
  });

  const padded = (params: string) => `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${params}}}`;
  it.each([
    ['cut off', '{"jsonrpc":', 400, -32700],
    ['empty', '', 400, -32600],
    ['a string', '"text"', 400, -32600],
    ['too deep', padded(`${'['.repeat(5000)}${']'.repeat(5000)}`), 400, -32600],
    ['too large', padded(`"${'x'.repeat(1_100_000)}"`), 413, -32000],
  ])('(%s) is answered with a JSON-RPC error', async (_name, body, status, code) => {
    const answer = await send(body);
    expect(answer.status).toBe(status);
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } });
  });

  it('is answered 415 for another type than JSON, 405 for another method, 404 for another path', async () => {
    expect((await send(INITIALIZE, { 'content-type': 'text/plain' })).status).toBe(415);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await send(null, {}, method);
      expect(status).toBe(405);
      expect(headers.get('allow')).toContain('POST');
    }
    expect((await fetch(`${harness.baseUrl}/mcp/`, { method: 'POST', body: '{}' })).status).toBe(404);
  });

  it('with an unknown tool or method is answered with a protocol error', async () => {
    expect((await send(toolCall('nothing'))).json.error).toMatchObject({ code: -32602 });
    const { status, json } = await send({ jsonrpc: '2.0', id: 3, method: 'subscriptions/listen' });
    expect([status, json.error.code]).toEqual([404, -32601]);
  });
});

describe('a valid request', () => {
  it('counts towards one quota per key on every transport', async () => {
    const { key } = await harness.person();
    const first = await harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'probe', skill: 'ok', input: {} },
    });
    const left = Number(first.headers['ratelimit-remaining']);
    const second = await send(PROBE_CALL, bearer(key));
    expect(second.json.result._meta['tool-gateway/rateLimit'].remaining).toBe(left - 1);
    const third = await harness.request('POST', '/v1/tools/call', {
      key,
      json: { tool: 'probe', skill: 'ok', input: {} },
    });
    expect(Number(third.headers['ratelimit-remaining'])).toBe(left - 2);
  });

  it('has its id in the result, the headers and errors', async () => {
    const { key } = await harness.person();
    const ok = await send(PROBE_CALL, { ...bearer(key), 'x-request-id': 'mine-1' });
    expect(ok.headers.get('x-request-id')).toBe('mine-1');
    expect(ok.json.result._meta['tool-gateway/requestId']).toBe('mine-1');
    const bad = await send(toolCall('get_job', { job_id: 'job_none' }), {
      ...bearer(key),
      'x-request-id': 'mine-2',
    });
    expect(bad.json.result.structuredContent.error).toMatchObject({
      code: 'NOT_FOUND',
      request_id: 'mine-2',
    });
    expect(bad.headers.get('strict-transport-security')).toBeNull();
    expect(bad.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { createTestServer } from '@/test/support/test-server';
import { type CallEvent, createClient, type GatewayClient, GatewayError } from './client.js';
import { createCliSandbox } from './testing/cli-sandbox.js';

const CREDIT = 1_000_000n;
let gateway: Harness;
let client: GatewayClient;
let key: string;

beforeAll(async () => {
  gateway = await startHarness({ role: 'web', listen: true });
  ({ key } = await gateway.person(CREDIT));
  client = createClient({ baseUrl: gateway.baseUrl, apiKey: key });
});
afterAll(() => gateway.close());

const sleep = (seconds: number) => ({
  tool: 'diagnostics',
  skill: 'sleep',
  input: { seconds, log_every_seconds: 0.1 },
});

describe('the client', () => {
  it('waits for the result of a call that becomes a job', async () => {
    const seen: string[] = [];
    const call = { tool: 'diagnostics', skill: 'background', input: { seconds: 0.2, steps: 2 } };
    const result = await client.callTool(call, { onJob: ({ status }) => seen.push(status) });
    expect(result).toMatchObject({ status: 'success', output: { steps_done: 2 }, usage: { cost: 0 } });
  });

  it('returns the job when the wait limit is reached and can wait for it again', async () => {
    const call = { tool: 'diagnostics', skill: 'background', input: { seconds: 30 } };
    const pending = await client.callTool(call, { waitSeconds: 0 });
    expect(pending).toMatchObject({ status: 'pending', job_id: expect.stringMatching(/^job_/) });
    const still = await client.waitForJob(pending.job_id ?? '', { waitSeconds: 0.3 });
    expect(still).toMatchObject({ status: 'pending', job_id: pending.job_id });
    // Only a running job can be cancelled; a worker may not have started it yet.
    const cancel = () =>
      client.cancelJob(pending.job_id ?? '').then(
        () => 'cancelled',
        (error) => error.code,
      );
    await expect.poll(cancel).toBe('cancelled');
    await expect(client.waitForJob(pending.job_id ?? '')).rejects.toMatchObject({
      code: 'CANCELLED',
      type: 'provider',
    });
  });

  it('streams the events of a call in order and stops on abort', async () => {
    const events: CallEvent['event'][] = [];
    for await (const { event } of client.streamTool(sleep(0.2))) events.push(event);
    expect([events[0], ...events.slice(-2)]).toEqual(['started', 'rate_limit', 'result']);
    expect(new Set(events.slice(1, -2))).toEqual(new Set(['progress']));
    const controller = new AbortController();
    const endless = client.streamTool(sleep(60), { signal: controller.signal });
    await endless.next();
    controller.abort(new Error('enough'));
    await expect(endless.next()).rejects.toThrow('enough');
  });

  it('throws an error with code, hint, fields and status', async () => {
    const error = await client
      .callTool({ tool: 'math', skill: 'evaluate', input: {} })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(GatewayError);
    expect(error).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      type: 'validation',
      hint: expect.stringContaining('fields'),
      fields: [{ path: 'input.expression' }],
      requestId: expect.stringMatching(/^req_/),
    });
    await expect(createClient({ baseUrl: gateway.baseUrl }).callTool(sleep(0))).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
    });
  });

  it('stops waiting on abort and throws the reason of the signal', async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('enough')), 200);
    await expect(client.callTool(sleep(20), { signal: controller.signal })).rejects.toThrow('enough');
  });

  it('uploads bytes as an asset that tools accept', async () => {
    const { asset_id } = await client.upload({
      bytes: new TextEncoder().encode('a,b\n1,2\n'),
      filename: 'x.csv',
    });
    const { output } = await client.callTool({ tool: 'data', skill: 'profile', input: { file: asset_id } });
    expect(output?.row_count ?? output?.rows).toBe(1);
  });

  it('rejects an invalid base URL', () => {
    for (const baseUrl of ['', 'gateway', 'ftp://a.test', 'http://me:secret@a.test', 'http://a.test?x=1'])
      expect(() => createClient({ baseUrl })).toThrow(/base URL/);
    expect(createClient({ baseUrl: 'http://a.test/v1/' }).baseUrl).toBe('http://a.test');
  });
});

describe('retries', () => {
  let server: Server;
  let seen: IncomingMessage[];
  afterEach(() => new Promise((closed) => server.close(closed)));

  /** Starts a fake gateway that sends these responses in turn, then repeats the last one. */
  async function saying(...answers: ((res: ServerResponse) => void)[]): Promise<GatewayClient> {
    seen = [];
    server = createTestServer((req, res) => {
      seen.push(req);
      req.resume();
      (answers[seen.length - 1] ?? answers.at(-1))?.(res);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return createClient({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      apiKey: 'tg_live_x',
    });
  }

  const says =
    (status: number, body: object, headers: Record<string, string> = {}) =>
    (res: ServerResponse) => {
      res.writeHead(status, { 'Content-Type': 'application/json', ...headers });
      res.end(JSON.stringify(body));
    };
  const refusal = (code: string, type: string) => ({
    status: 'error',
    error: { code, message: code, type, resolution_hint: 'x' },
  });
  const away = (seconds: string) => says(503, refusal('UNAVAILABLE', 'server'), { 'Retry-After': seconds });
  const done = says(200, { id: 'call_1', status: 'success' });
  const cut = (res: ServerResponse) => void res.destroy();

  it('resends a call with the same idempotency key after 503, 429 and a lost connection', async () => {
    const other = await saying(
      away('0'),
      says(429, refusal('RATE_LIMIT_EXCEEDED', 'rate_limit'), { 'Retry-After': '0' }),
      cut,
      done,
    );
    expect(await other.callTool(sleep(0))).toMatchObject({ status: 'success' });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(4);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('sends a request without an idempotency key once, unless it is a read', async () => {
    const other = await saying(away('0'));
    await expect(other.provision()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(seen).toHaveLength(1);
    const { response } = await other.api.GET('/v1/tools', {});
    expect([response.status, seen.length]).toEqual([503, 5]);
  });

  it('throws at once when Retry-After is missing, invalid or longer than a minute', async () => {
    for (const seconds of ['61', '86400', 'soon']) {
      const other = await saying(away(seconds), done);
      await expect(other.callTool(sleep(0))).rejects.toMatchObject({ status: 503 });
      expect(seen).toHaveLength(1);
      await new Promise((closed) => server.close(closed));
    }
    const other = await saying(says(502, refusal('HANDLER_ERROR', 'provider')), done);
    await expect(other.callTool(sleep(0))).rejects.toMatchObject({ code: 'HANDLER_ERROR' });
    expect(seen).toHaveLength(1);
  });

  it('does not follow a redirect, which would receive the keys', async () => {
    const other = await saying(
      (res) => void res.writeHead(307, { Location: 'http://127.0.0.1:9/v1/x' }).end(),
    );
    const providerKeys = { openai: 'sk-secret-key' };
    await expect(other.callTool(sleep(0), { providerKeys })).rejects.toMatchObject({
      status: 307,
      message: expect.stringContaining('redirects to http://127.0.0.1:9'),
    });
    expect(seen).toHaveLength(1);
  });

  it('resends an upload completely', async () => {
    const sizes: number[] = [];
    const count = (next: (res: ServerResponse) => void) => (res: ServerResponse) => {
      sizes.push(Number(res.req.headers['content-length']));
      next(res);
    };
    const other = await saying(count(away('0')), count(says(200, { asset_id: 'asset_1' })));
    expect(await other.upload({ bytes: new Uint8Array(10_000), filename: 'x' })).toEqual({
      asset_id: 'asset_1',
    });
    expect(sizes).toHaveLength(2);
    expect(Math.min(...sizes)).toBeGreaterThan(10_000);
  });

  it('reports a deprecation with its date and links', async () => {
    const link = '<http://a.test/deprecations/x>; rel="deprecation"';
    const headers = { Deprecation: '@1796083200', Sunset: 'Wed, 31 Mar 2027 23:59:59 GMT', Link: link };
    const { baseUrl } = await saying(says(200, { tools: [] }, headers));
    const notices: unknown[] = [];
    await createClient({ baseUrl, onDeprecated: (notice) => notices.push(notice) }).api.GET('/v1/tools', {});
    const stops = new Date('2027-03-31T23:59:59Z');
    expect(notices).toEqual([{ since: new Date('2026-12-01T00:00:00Z'), stops, link }]);
    const sandbox = await createCliSandbox({ TOOL_GATEWAY_URL: baseUrl });
    const { stderr } = await sandbox.run(['tools']);
    expect(JSON.parse(stderr).message).toContain(
      'stops on 2027-03-31. What to do: http://a.test/deprecations/x',
    );
    await sandbox.remove();
  });

  it('continues a streamed call as its job when the connection is lost', async () => {
    const started = { id: 'call_1', tool: 'x', skill: 'y', job_id: 'job_1' };
    const begin = (res: ServerResponse) => {
      res.writeHead(200, { 'Content-Type': 'text/event-stream' });
      res.write(`id: 1\nevent: started\ndata: ${JSON.stringify(started)}\n\n`, () => res.destroy());
    };
    const result = { id: 'call_1', status: 'success', output: { text: 'hello' } };
    const job = { job_id: 'job_1', status: 'completed', logs: [], result };
    const { baseUrl } = await saying(begin, says(200, job));
    const sandbox = await createCliSandbox({ TOOL_GATEWAY_URL: baseUrl, TOOL_GATEWAY_KEY: 'tg_live_x' });
    const { code, json, stderr } = await sandbox.run(['call', 'x', 'y', '--input', '{}', '--stream']);
    expect({ code, json }).toEqual({ code: 0, json: result });
    expect(stderr).toContain('The connection was lost; the call continues as a job.');
    expect(seen.map(({ url }) => url)).toEqual(['/v1/tools/call', '/v1/jobs/job_1']);
    await sandbox.remove();
  });

  it('reports a response that is not from a gateway', async () => {
    const page = (res: ServerResponse) =>
      res.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>nginx</h1>');
    const other = await saying(page);
    await expect(other.callTool(sleep(0))).rejects.toMatchObject({
      code: 'UNEXPECTED_ANSWER',
      message: expect.stringContaining('base URL'),
    });
  });
});

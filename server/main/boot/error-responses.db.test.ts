import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FakePayments } from '@/test/support/fake-payments';
import { type Harness, startHarness } from '@/test/support/harness';
import { exchange } from '@/test/support/raw-socket';
import { fetchAdapter } from '../../api/dispatch/fetch-adapter';
import { nodeAdapter } from '../../api/dispatch/node-adapter';
import { downloadCalls } from '../../api/http/calls-download';
import { answerCron } from '../../api/http/cron-route';
import { streamJobLog, streamLive } from '../../api/http/live-streams';
import { handlePaymentWebhook } from '../../api/http/payment-webhook';
import { runInPlayground } from '../../api/trpc/playground-run';
import { PaymentsUnavailable } from '../../core/errors/payments-unavailable';
import { errorBodySchema } from '../../core/errors/schema';
import { readSettings } from '../../platform/settings/settings';
import { startProbeServer } from '../observe/probe-server';
import { createFront, type Front } from './front';
import { openPages } from './pages';

// Every transport answers a failure in the same shape, with the same headers.

class BrokenPayments extends FakePayments {
  override readEvent(): never {
    throw new PaymentsUnavailable('down');
  }
}

const SECRET = 'a-secret-of-the-scheduler-0123456789';
const REQUEST_ID = 'own-id:1';
const BASE_URL = 'https://gateway.test';

let harness: Harness;
let probes: Awaited<ReturnType<typeof startProbeServer>>;
const fronts: Front[] = [];
let starting: string;
let open: string;
let page: (request: Request) => Promise<Response>;

async function openFront(): Promise<[Front, string]> {
  const front = createFront(() => undefined);
  fronts.push(front);
  const port = await front.listen(readSettings({ NODE_ENV: 'test', PORT: '0' }), true);
  return [front, `http://127.0.0.1:${port}`];
}

beforeAll(async () => {
  harness = await startHarness({ env: { CRON_SECRET: SECRET }, ports: { payments: new BrokenPayments() } });
  probes = await startProbeServer(harness.runtime, 0, '127.0.0.1');
  globalThis.__gateway = { runtime: harness.runtime, dispatch: nodeAdapter(harness.dispatcher) };
  page = fetchAdapter(harness.dispatcher);
  [, starting] = await openFront();
  const [front, url] = await openFront();
  open = url;
  const pages = await openPages({
    root: '/nowhere',
    dev: false,
    baseUrl: BASE_URL,
    bodyLimitBytes: 1_000,
    uploadLimitMib: 1,
    trustedProxyHops: 0,
    next: async () => {
      throw new Error('postgres://user:hunter2@host');
    },
  });
  front.open(pages);
});
afterAll(async () => {
  globalThis.__gateway = undefined;
  for (const { server } of [...fronts, { server: probes }]) {
    server.closeAllConnections();
    server.close();
  }
  await harness.close();
});

const headers = { 'x-request-id': REQUEST_ID };
const request = (path: string, init: RequestInit = {}) =>
  new Request(`http://gateway.test${path}`, { ...init, headers: { ...headers, ...init.headers } });

/** Sends a path that `fetch` would change. */
async function sendRaw(url: string, head: string): Promise<Response> {
  const { text, statuses } = await exchange(Number(new URL(url).port), [`${head}\r\n\r\n`]);
  const [lines = '', body = ''] = text.split('\r\n\r\n');
  const fields = lines.split('\r\n').slice(1);
  return new Response(body || null, {
    status: statuses[0] ?? 0,
    headers: fields.map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  });
}

const JSON_FAILURES: Record<string, [() => Promise<Response>, status: number, code: string]> = {
  'front: starting': [() => fetch(`${starting}/v1/tools`, { headers }), 503, 'UNAVAILABLE'],
  'front: handler failed': [() => fetch(`${open}/dashboard`, { headers }), 500, 'INTERNAL'],
  'front: invalid path': [
    () => sendRaw(open, `GET /a/../b HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${REQUEST_ID}`),
    400,
    'INVALID_INPUT',
  ],
  'front: long path': [() => fetch(`${open}/${'a'.repeat(3_000)}`, { headers }), 414, 'INVALID_INPUT'],
  'front: no Host': [
    () => sendRaw(open, `GET / HTTP/1.1\r\nX-Request-Id: ${REQUEST_ID}`),
    400,
    'INVALID_INPUT',
  ],
  'front: not HTTP': [() => sendRaw(open, 'garbage'), 400, 'INVALID_INPUT'],
  'front: long headers': [
    () => sendRaw(open, `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(65_536)}`),
    431,
    'INVALID_INPUT',
  ],
  'a page, by a program': [
    () => fetch(`${open}/pricing`, { headers, method: 'POST' }),
    405,
    'METHOD_NOT_ALLOWED',
  ],
  'no page, to a program': [() => fetch(`${open}/tools/search?q=pdf`, { headers }), 404, 'NOT_FOUND'],
  'dispatcher: no key': [() => fetch(`${open}/v1/keys`, { headers }), 401, 'AUTH_REQUIRED'],
  'dispatcher: no route': [() => fetch(`${open}/v1/nothing`, { headers }), 404, 'NOT_FOUND'],
  'dispatcher behind Next': [() => page(request('/v1/nothing')), 404, 'NOT_FOUND'],
  'worker: no route': [
    () => fetch(`http://127.0.0.1:${(probes.address() as { port: number }).port}/x`, { headers }),
    404,
    'NOT_FOUND',
  ],
  webhook: [() => handlePaymentWebhook(request('/', { method: 'POST', body: '{}' })), 503, 'UNAVAILABLE'],
  'cron: no secret': [() => answerCron(request('/'), 'minute'), 401, 'AUTH_FAILED'],
  'cron: no round': [() => answerCron(request('/'), 'second'), 404, 'NOT_FOUND'],
  'live updates: no session': [() => streamLive(request('/')), 401, 'AUTH_REQUIRED'],
  'live updates: HEAD': [
    () => streamJobLog(request('/', { method: 'HEAD' }), 'job_1'),
    405,
    'METHOD_NOT_ALLOWED',
  ],
  'download: no session': [() => downloadCalls(request('/')), 401, 'AUTH_REQUIRED'],
  'playground: no session': [
    () =>
      runInPlayground(
        request('/', {
          method: 'POST',
          body: '{}',
          headers: { origin: harness.runtime.settings.baseUrl, 'content-type': 'application/json' },
        }),
      ),
    401,
    'AUTH_REQUIRED',
  ],
};

const TEXT_FAILURES: Record<string, [() => Promise<Response>, status: number]> = {
  'front: a browser': [() => fetch(`${open}/a%2fb`, { headers: { ...headers, accept: 'text/html' } }), 400],
  'pages: method': [
    () => fetch(`${open}/docs`, { headers: { ...headers, accept: 'text/html' }, method: 'PUT' }),
    405,
  ],
  'pages: size': [
    () => fetch(`${open}/api/auth/x`, { headers, method: 'POST', body: 'a'.repeat(20_000) }),
    413,
  ],
  'pages: origin': [
    () => fetch(`${open}/api/auth/x`, { headers: { ...headers, origin: 'null' }, method: 'POST' }),
    403,
  ],
  'playground: origin': [() => runInPlayground(request('/', { method: 'POST' })), 403],
};

function expectCommonHeaders(response: Response): void {
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
}

describe('a failure has the Error shape and the common headers', () => {
  it.each(Object.entries(JSON_FAILURES))('%s', async (name, [ask, status, code]) => {
    const response = await ask();
    const text = await response.text();
    const body = errorBodySchema.parse(JSON.parse(text));
    expect([response.status, body.error.code]).toEqual([status, code]);
    expect(text).not.toContain('hunter2');
    expectCommonHeaders(response);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    // Node reads no header of a request that it cannot parse.
    const parsed = !/HTTP|long headers/.test(name);
    expect(response.headers.get('x-request-id')).toEqual(
      parsed ? REQUEST_ID : expect.stringMatching(/^req_/),
    );
    expect(body.error.request_id).toBe(response.headers.get('x-request-id'));
    const retry = body.error.retry_after;
    expect(response.headers.get('retry-after')).toBe(retry === undefined ? null : String(retry));
    if (status === 503) expect(retry).toBeGreaterThan(0);
    expect(response.headers.has('www-authenticate')).toBe(status === 401);
    expect(response.headers.has('allow')).toBe(status === 405);
  });

  it.each(Object.entries(TEXT_FAILURES))('%s: in plain text', async (_, [ask, status]) => {
    const response = await ask();
    expect(response.status).toBe(status);
    expect(await response.text()).not.toBe('');
    expectCommonHeaders(response);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });
});

it('successes have the common headers too', async () => {
  const cron = await answerCron(request('/', { headers: { authorization: `Bearer ${SECRET}` } }), 'minute');
  const server = await sendRaw(open, 'OPTIONS * HTTP/1.1\r\nHost: x');
  for (const response of [cron, server, await fetch(`${open}/healthz`)]) {
    expect(response.ok).toBe(true);
    expectCommonHeaders(response);
    expect(response.headers.get('x-request-id')).toMatch(/^(own-id:1|req_\w+)$/);
  }
});

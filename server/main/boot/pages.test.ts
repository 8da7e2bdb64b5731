import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { measureCpuMs } from '@/test/support/measure-cpu-ms';
import { exchange, openSocket } from '@/test/support/raw-socket';
import { readSettings } from '../../platform/settings/settings';
import { createFront, type Front } from './front';
import { openPages } from './pages';

// The front with all handlers before Next, and a fake Next that returns what
// it received.

const LIMIT = 1024 * 1024;
const BASE_URL = 'https://gateway.example.com';
const fronts: Front[] = [];
afterEach(() => {
  globalThis.__gateway = undefined;
  for (const front of fronts.splice(0)) {
    front.server.closeAllConnections();
    front.server.close();
  }
});

async function openGateway(render: (url: string, page: string) => void = () => undefined) {
  const handed: string[] = [];
  const states: unknown[] = [];
  const read = { bytes: 0 };
  const front = createFront(() => undefined);
  fronts.push(front);
  const port = await front.listen(readSettings({ NODE_ENV: 'test', PORT: '0' }), true);
  globalThis.__gateway = { dispatch: (_req, res) => void res.end('api') };
  front.open(
    await openPages({
      root: '/nowhere',
      dev: false,
      baseUrl: BASE_URL,
      bodyLimitBytes: 1_000,
      uploadLimitMib: 1,
      trustedProxyHops: 0,
      next: async (req, res) => {
        handed.push(`${req.method} ${req.url}`);
        render(req.url ?? '', String(req.headers['x-gateway-page']));
        states.push(req.headers['next-router-state-tree']);
        req.on('data', (chunk: Buffer) => {
          read.bytes += chunk.byteLength;
        });
        req.on('error', () => undefined);
        req.on('end', () => res.end('next'));
      },
    }),
  );
  const ask = (target: string, method = 'GET', headers: string[] = []) =>
    exchange(port, [
      [`${method} ${target} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'),
    ]);
  return { port, handed, states, read, ask };
}

/** Sends a body in chunks for as long as it is read. */
function send(port: number, path: string, bytes: number, announced: boolean) {
  const headers = { accept: 'text/html', ...(announced && { 'content-length': bytes }) };
  return new Promise<number | undefined>((done) => {
    const asked = request({ port, path, host: '127.0.0.1', method: 'POST', headers }, (answer) => {
      done(answer.statusCode);
      asked.destroy();
    });
    asked.on('error', () => done(undefined));
    for (let left = bytes; left > 0; left -= 65_536) asked.write(Buffer.alloc(Math.min(left, 65_536)));
    asked.end();
  });
}

describe('requests to Next', () => {
  it('never have an ambiguous path, or a target that would block the thread @F3 @F4', async () => {
    const { ask, handed } = await openGateway();
    for (const target of [
      '/fake-stripe/../docs',
      '/fake-stripe/%2e%2e/docs',
      '/dashboard/%2e%2e/v1/tools',
      '/dashboard/..%2fv1/tools',
      '/tools/%ff',
      '/a%00b',
      '//v1/tools',
      `/?${'a&'.repeat(7_500)}`,
      `/${'a'.repeat(3_000)}`,
    ]) {
      const { statuses } = await ask(target);
      expect(statuses, target).toHaveLength(1);
      expect([400, 414], target).toContain(statuses[0]);
    }
    expect(handed).toEqual([]);
    for (const target of ['/', '/tools?q=%ff', '/tools/%E2%9C%93', '/%64ocs']) await ask(target);
    expect(handed).toEqual(['GET /', 'GET /tools?q=%ff', 'GET /tools/%E2%9C%93', 'GET /docs']);
    // The dispatcher gets API paths in any spelling.
    expect((await ask('/%761/tools')).text).toMatch(/api$/);
  });

  it('do not block the event loop with thousands of query parameters @F4', async () => {
    const compared: number[] = [];
    const { ask } = await openGateway((url) => {
      // Compares each parameter with all others, like Next.
      const names = [...new URL(url, BASE_URL).searchParams.keys()];
      compared.push(names.filter((name) => names.every((other) => name.localeCompare(other) <= 1)).length);
    });
    const many = (count: number) =>
      `/?${Array.from({ length: count }, (_, at) => at.toString(36)).join('&')}`;
    const leastMs = async (target: string, status: number) => {
      const times: number[] = [];
      for (let at = 0; at < 3; at += 1)
        times.push(
          await measureCpuMs(async () => expect((await ask(target)).statuses, target).toEqual([status])),
        );
      return Math.min(...times);
    };
    expect(many(3_900).length).toBeGreaterThan(13_000);
    expect(await leastMs(many(3_900), 414)).toBeLessThan(100);
    expect(await leastMs(`/?${'a&'.repeat(7_500)}`, 414)).toBeLessThan(100);
    expect(await leastMs(many(101), 400)).toBeLessThan(100);
    expect(compared).toEqual([]);
    expect(await leastMs(many(100), 200)).toBeLessThan(100);
    expect(compared).toEqual([100, 100, 100]);
  });

  it('have the status that their page sets, and no other request can set it @F34', async () => {
    const { ask } = await openGateway((url, page) => {
      if (url === '/docs') globalThis.__gateway?.setPageStatus?.(page, 400);
    });
    const other = ['X-Gateway-Page: 1'];
    expect((await ask('/docs')).statuses).toEqual([400]);
    expect((await ask('/docs', 'GET', other)).statuses).toEqual([400]);
    expect((await ask('/', 'GET', other)).statuses).toEqual([200]);
  });

  it('are rejected with an Error object, or with plain text for a browser', async () => {
    const { ask } = await openGateway();
    const { text } = await ask('/x/../y');
    expect(JSON.parse(text.slice(text.indexOf('{')))).toMatchObject({
      status: 'error',
      error: { code: 'INVALID_INPUT', request_id: expect.stringMatching(/^req_/) },
    });
    const page = await ask('/x/../y', 'GET', ['Accept: text/html,*/*']);
    expect(page.text).toMatch(/^content-type: text\/plain/im);
    expect(page.text).toMatch(/The path is not valid/);
  });

  it('may have a hundred cookies and a hundred headers; more are answered with 431 @F4', async () => {
    const { ask, handed } = await openGateway();
    const cookies = (count: number) => [
      `Cookie: ${Array.from({ length: count }, (_, n) => `c${n}=1`).join('; ')}`,
    ];
    const headers = (count: number) => Array.from({ length: count }, (_, n) => `X-${n}: 1`);
    expect((await ask('/', 'GET', cookies(100))).statuses).toEqual([200]);
    expect((await ask('/', 'GET', headers(98))).statuses).toEqual([200]);
    expect((await ask('/', 'GET', cookies(101))).statuses).toEqual([431]);
    expect((await ask('/', 'GET', [`Cookie: a=${'b'.repeat(9_000)}`])).statuses).toEqual([431]);
    expect((await ask('/', 'GET', headers(99))).statuses).toEqual([431]);
    expect(handed).toHaveLength(2);
  });

  it('have a body limit on every route, with any transfer encoding @F3', async () => {
    const { port, read } = await openGateway();
    const paths = ['/api/auth/x', '/api/trpc/x', '/api/stripe/webhook', '/fake-stripe/pay', '/fake-stripe'];
    for (const path of [...paths, '/', '/docs', '/nowhere', '/api/cron/minute', '/oauth/authorize'])
      for (const announced of [false, true]) {
        read.bytes = 0;
        expect([405, 413, undefined], path).toContain(await send(port, path, 20 * LIMIT, announced));
        expect(read.bytes, path).toBeLessThanOrEqual(path.startsWith('/api/auth') ? 16 * 1024 : LIMIT);
      }
  });

  it('are refused if their body arrives in too many small chunks, however short it is @E23', async () => {
    const { port, read } = await openGateway();
    const send = (chunk: string) => {
      const head = 'POST /api/trpc/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
      const framed = `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
      return exchange(port, [`${head}${framed.repeat(6_000)}0\r\n\r\n`]);
    };
    const { statuses, text, closed } = await send('a');
    expect([statuses, closed]).toEqual([[400], true]);
    expect(text).toContain('too many small chunks');
    expect(read.bytes).toBeLessThan(6_000);
    expect((await send('a'.repeat(128))).statuses).toEqual([200]);
  });

  it('have a router state only if Next can parse it @F4', async () => {
    const { ask, states } = await openGateway();
    const good = encodeURIComponent('["",{"children":["__PAGE__",{}]},null,null,1]');
    for (const state of [good, 'x', '%', '%5B%5D', '{}', `${good}, ${good}`, '['.repeat(9_000)])
      expect((await ask('/', 'GET', ['RSC: 1', `Next-Router-State-Tree: ${state}`])).statuses).toEqual([200]);
    expect(states).toEqual([good, ...Array(6).fill(undefined)]);
  });
});

it('starts pipelined requests one at a time for a client that reads nothing @F6', async () => {
  const front = createFront(() => undefined);
  fronts.push(front);
  const port = await front.listen(readSettings({ NODE_ENV: 'test', PORT: '0' }), true);
  let started = 0;
  front.open(async (_req, res) => {
    started += 1;
    res.end(Buffer.alloc(8 * 1024 * 1024));
  });
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  const client = await openSocket(port);
  client.on('error', () => undefined);
  client.pause().write(get.repeat(20));
  await expect.poll(() => started).toBe(1);
  // A later request of another client is answered in the meantime.
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  expect(started).toBe(2);
  client.resume();
  await expect.poll(() => started, { timeout: 20_000 }).toBe(21);
  client.destroy();
});

describe('methods', () => {
  it('are limited to reads for pages; 405 lists the allowed ones', async () => {
    const { ask, handed } = await openGateway();
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'])
      for (const path of ['/', '/docs', '/dashboard', '/nowhere', '/api/cron/minute', '/_next/static/x.js']) {
        const { text, statuses } = await ask(path, method, ['Content-Length: 0', 'Accept: text/html']);
        expect(statuses, `${method} ${path}`).toEqual([405]);
        expect(text).toMatch(/^allow: GET, HEAD, OPTIONS\r$/im);
        // A program gets the Error shape of the dispatcher.
        expect((await ask(path, method, ['Content-Length: 0'])).text).toMatch(/api$/);
      }
    expect(handed).toEqual([]);
  });

  it('are listed by OPTIONS, for a path and for the server', async () => {
    const { ask, handed } = await openGateway();
    const allowed = async (target: string) => {
      const { text, statuses } = await ask(target, 'OPTIONS');
      expect(statuses).toEqual([204]);
      return /^allow: (.*)\r$/im.exec(text)?.[1];
    };
    expect(await allowed('/')).toBe('GET, HEAD, OPTIONS');
    expect(await allowed('/api/trpc/keys.create')).toBe('GET, HEAD, POST, OPTIONS');
    expect(await allowed('/dashboard/playground/run')).toBe('POST, OPTIONS');
    expect(await allowed('*')).toBe('GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS');
    expect(handed).toEqual([]);
    expect((await ask('*', 'GET')).statuses).toEqual([400]);
  });
});

describe('a client that waits for 100 Continue', () => {
  const upload = (path: string, length: number) =>
    [
      `POST ${path} HTTP/1.1`,
      'Host: x',
      'Accept: text/html',
      'Expect: 100-continue',
      `Content-Length: ${length}`,
      '',
      '',
    ].join('\r\n');

  it('is rejected without it if its headers suffice, and the connection is closed', async () => {
    const { port, read } = await openGateway();
    for (const [path, length, status] of [
      ['/api/trpc/x', 5 * LIMIT, 413],
      ['/docs', 10, 405],
      ['/a/../b', 10, 400],
    ] as const) {
      const { statuses, closed } = await exchange(port, [upload(path, length)]);
      expect([statuses, closed], path).toEqual([[status], true]);
    }
    expect(read.bytes).toBe(0);
  });

  it('gets 100 once its body is read, and may reuse the connection', async () => {
    const { port, read } = await openGateway();
    const { statuses } = await exchange(
      port,
      [upload('/api/trpc/x', 5), 'hello', upload('/api/trpc/x', 5), 'again'],
      { inTurn: true },
    );
    expect(statuses).toEqual([100, 200, 100, 200]);
    expect(read.bytes).toBe(10);
  });
});

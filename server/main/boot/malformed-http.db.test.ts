import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Harness, startHarness } from '@/test/support/harness';
import { exchange, openSocket } from '@/test/support/raw-socket';
import { nodeAdapter } from '../../api/dispatch/node-adapter';
import { readSettings } from '../../platform/settings/settings';
import { createFront, type Front } from './front';

// Sends bytes that no client library would send to the front of a real start with its dispatcher.

const TIMEOUTS = { headers: 1_000, request: 2_000, check: 100 };

let harness: Harness;
let front: Front;
let port: number;
let key: string;
beforeAll(async () => {
  harness = await startHarness();
  key = (await harness.person(1_000_000n)).key;
  front = createFront(() => undefined, TIMEOUTS);
  port = await front.listen(readSettings({ NODE_ENV: 'test', PORT: '0' }), true);
  globalThis.__gateway = { dispatch: nodeAdapter(harness.dispatcher) };
  front.open(async (req, res) => void res.end(`page ${req.url}`));
});
afterAll(async () => {
  globalThis.__gateway = undefined;
  front.server.closeAllConnections();
  front.server.close();
  await harness.close();
});

const lines = (...parts: string[]) => `${parts.join('\r\n')}\r\n\r\n`;
const SMUGGLED = lines('GET /v1/smuggled HTTP/1.1', 'Host: x');
const post = (...headers: string[]) => lines('POST /v1/keys HTTP/1.1', 'Host: x', ...headers);
const get = (...headers: string[]) => lines('GET /v1/tools?limit=1 HTTP/1.1', ...headers);

/** Each would be two requests for a parser that reads its lengths differently. */
const AMBIGUOUS: Record<string, string> = {
  'Content-Length and Transfer-Encoding': `${post('Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n${SMUGGLED}`,
  'Transfer-Encoding and Content-Length': `${post('Transfer-Encoding: chunked', 'Content-Length: 60')}0\r\n\r\n${SMUGGLED}`,
  'two Content-Lengths': post('Content-Length: 0', `Content-Length: ${SMUGGLED.length}`) + SMUGGLED,
  'a list of Content-Lengths': post(`Content-Length: 0, ${SMUGGLED.length}`) + SMUGGLED,
  'a negative Content-Length': post('Content-Length: -1') + SMUGGLED,
  'a Content-Length with a sign': post('Content-Length: +0') + SMUGGLED,
  'a hexadecimal Content-Length': post('Content-Length: 0x0') + SMUGGLED,
  'a space before the colon': post('Content-Length : 0') + SMUGGLED,
  'a transfer coding that is none': post('Transfer-Encoding: xchunked') + SMUGGLED,
  'chunked, and something after it': `${post('Transfer-Encoding: chunked, identity')}0\r\n\r\n${SMUGGLED}`,
  'a chunk that is no number': `${post('Transfer-Encoding: chunked')}zz\r\nabc\r\n0\r\n\r\n${SMUGGLED}`,
  'a chunk longer than it says': `${post('Transfer-Encoding: chunked')}1\r\nabc\r\n0\r\n\r\n${SMUGGLED}`,
  'an endless chunk size': `${post('Transfer-Encoding: chunked')}${'f'.repeat(40)}\r\n`,
  'a flood of chunk extensions': `${post('Transfer-Encoding: chunked')}1;${'a=b;'.repeat(20_000)}\r\na\r\n`,
};

const MALFORMED: Record<string, string> = {
  'NUL in a header': get('Host: x', 'X-A: a\0b'),
  'a control byte in a header': get('Host: x', 'X-A: a\u0001b'),
  'DEL in a header': get('Host: x', 'X-A: a\u007fb'),
  'a bare CR in a header': get('Host: x', 'X-A: a\rX-B: c'),
  'a folded header': get('Host: x', 'X-A: a', ' b'),
  'a header without a name': get('Host: x', ': a'),
  'a name with a space in it': get('Host: x', 'X A: a'),
  'no Host': get(),
  'two Hosts': get('Host: a', 'Host: b'),
  'another protocol': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a version that is none': lines('GET /v1/tools HTTP/9.9', 'Host: x'),
  'no version': lines('GET /v1/tools', 'Host: x'),
  'a space in the path': lines('GET /v1/to ols HTTP/1.1', 'Host: x'),
  'a target without a slash': lines('GET v1/tools HTTP/1.1', 'Host: x'),
  'no HTTP at all': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
  'a header of 64 kB': get('Host: x', `X-A: ${'a'.repeat(65_536)}`),
  'ten thousand headers': get('Host: x', ...Array.from({ length: 10_000 }, (_, n) => `X-${n}: 1`)),
  'a path of 64 kB': lines(`GET /v1/${'a'.repeat(65_536)} HTTP/1.1`, 'Host: x'),
};

describe('a request of ambiguous length', () => {
  it.each(Object.entries(AMBIGUOUS))(
    '%s: at most one response, and the rest is never a request @D6',
    async (_, bytes) => {
      const { text, statuses, closed } = await exchange(port, [Buffer.from(bytes, 'latin1')]);
      expect(statuses.length).toBeLessThanOrEqual(1);
      for (const status of statuses) expect([400, 401, 413]).toContain(status);
      expect(text).not.toContain('No route has this path');
      expect(closed).toBe(true);
    },
  );

  it('is distinguished from two valid pipelined requests, which are both answered', async () => {
    const { statuses } = await exchange(port, [post('Content-Length: 0') + SMUGGLED]);
    expect(statuses).toEqual([401, 404]);
  });
});

describe('invalid HTTP', () => {
  it.each(Object.entries(MALFORMED))(
    '%s: rejected with an Error object, and the connection is closed @D6',
    async (_, bytes) => {
      const { text, statuses, closed } = await exchange(port, [Buffer.from(bytes, 'latin1')]);
      expect(statuses).toHaveLength(1);
      expect([400, 431]).toContain(statuses[0]);
      const [head = '', body = ''] = text.split('\r\n\r\n');
      expect(JSON.parse(body)).toMatchObject({
        status: 'error',
        error: { code: 'INVALID_INPUT', resolution_hint: expect.any(String), request_id: expect.any(String) },
      });
      expect(head).toMatch(/^X-Request-Id: req_/im);
      expect(head).toMatch(/^Cache-Control: no-store$/im);
      expect(head).toMatch(/^X-Content-Type-Options: nosniff$/im);
      expect(closed).toBe(true);
    },
  );
});

describe('valid but rare HTTP', () => {
  it('answers an absolute target by its path, for API and pages, ignoring its host @D13', async () => {
    const ask = (target: string) =>
      exchange(port, [lines(`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close')]);
    expect((await ask('http://evil.example/v1/tools?limit=1')).statuses).toEqual([200]);
    expect((await ask('http://evil.example/docs?a=1')).text).toMatch(/page \/docs\?a=1$/);
    expect((await ask('http://evil.example')).text).toMatch(/page \/$/);
    expect((await ask('HTTPS://evil.example?a=1')).text).toMatch(/page \/\?a=1$/);
  });

  it('answers an unknown expectation, an upgrade offer and repeated 100-continue exactly once @D6', async () => {
    for (const headers of [
      ['Expect: nonsense'],
      ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'],
    ]) {
      const { statuses, text } = await exchange(port, [get('Host: x', ...headers)]);
      expect(statuses).toEqual([200]);
      expect(text).toMatch(/^x-request-id: /im);
    }
    const flood = Array<string>(200).fill(get('Host: x', 'Expect: 100-continue')).join('');
    const { statuses } = await exchange(port, [flood]);
    expect(statuses.filter((status) => status === 200)).toHaveLength(200);
    expect(statuses.every((status) => status === 200 || status === 100)).toBe(true);
  });

  it('answers HTTP/1.0 without a Host header exactly once', async () => {
    const { statuses, closed } = await exchange(port, ['GET /healthz HTTP/1.0\r\n\r\n']);
    expect([statuses, closed]).toEqual([[200], true]);
  });
});

describe('slow clients', () => {
  const served = async () => (await fetch(`http://127.0.0.1:${port}/v1/tools?limit=1`)).status;

  it('are disconnected while sending headers, and others are served in the meantime @D7', async () => {
    const dripping = exchange(port, ['GET / HTTP/1.1\r\n', ...Array<string>(60).fill('X-A: b\r\n')], {
      pauseMs: 100,
    });
    expect(await served()).toBe(200);
    const { statuses, closed } = await dripping;
    expect([statuses, closed]).toEqual([[408], true]);
  });

  it('are disconnected while sending a body, and their call never runs @D7', async () => {
    const head = lines(
      'POST /v1/tools/call HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${key}`,
      'Content-Type: application/json',
      'Content-Length: 200',
    );
    const { statuses, closed } = await exchange(port, [head, ...Array<string>(80).fill(' ')], {
      pauseMs: 100,
    });
    expect(statuses.filter((status) => status < 400)).toEqual([]);
    expect(closed).toBe(true);
    expect(await served()).toBe(200);
  });

  it('do not block others with a thousand connections without requests @D7', async () => {
    const idle: Socket[] = [];
    try {
      for (let n = 0; n < 1_000; n += 50)
        idle.push(...(await Promise.all(Array.from({ length: 50 }, () => openSocket(port)))));
      for (const socket of idle) socket.on('error', () => undefined);
      for (let n = 0; n < 20; n++) expect(await served()).toBe(200);
    } finally {
      for (const socket of idle) socket.destroy();
    }
  });
});

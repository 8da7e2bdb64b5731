import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeSite, startFakeSite } from '@/test/support/fake-site';
import { isSkillError } from '../../core/errors/skill-error';
import { createOutboundFetch } from './outbound';
import type { OutboundFetch } from './outbound-fetch';
import { OutboundGuard } from './outbound-guard';

const MIB = 1024 * 1024;
let site: FakeSite;
let other: FakeSite;
let outbound: OutboundFetch;
/** How many bytes the endless page has written. */
let written = 0;

const pages: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
  '/ok': (_, response) => void response.end('fine'),
  '/endless': (_, response) => {
    const block = Buffer.alloc(64 * 1024);
    const more = () => {
      while (!response.destroyed) {
        written += block.length;
        if (!response.write(block)) return void response.once('drain', more);
      }
    };
    more();
  },
  '/bomb': (_, response) => {
    const part = gzipSync(Buffer.alloc(10 * MIB));
    response.writeHead(200, { 'content-encoding': 'gzip' });
    const more = () => {
      while (!response.destroyed) {
        written += part.length;
        if (!response.write(part)) return void response.once('drain', more);
      }
    };
    more();
  },
  '/drip': (_, response) => {
    const timer = setInterval(() => response.write('x'), 20);
    response.on('close', () => clearInterval(timer));
  },
  '/stalls': (_, response) => void response.write('x'),
  '/silent': () => undefined,
  '/headers': (_, response) => void response.writeHead(200, { 'x-large': 'x'.repeat(64 * 1024) }).end(),
  '/announced': (_, response) => void response.writeHead(200, { 'content-length': 200 * MIB }).write('x'),
  '/short': (_, response) => {
    response.writeHead(200, { 'content-length': 100 });
    response.write('only this', () => response.destroy());
  },
  '/cut': (request) => void request.socket.destroy(),
  '/garbage': (request) => void request.socket.end('this is no HTTP\r\n\r\n'),
  '/not-gzip': (_, response) =>
    void response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain text'),
  '/status': (_, response) =>
    void response.socket?.end('HTTP/1.1 999 No robots\r\nContent-Length: 2\r\n\r\nno'),
  '/words': (_, response) =>
    void response.socket?.end('HTTP/1.1 404 找不到\r\nContent-Length: 4\r\n\r\ngone'),
  '/empty': (_, response) => void response.writeHead(204).end(),
};

beforeAll(async () => {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    const page = pages[pathname];
    if (page) return page(request, response);
    if (pathname === '/loop') return void response.writeHead(302, { Location: '/loop' }).end();
    if (pathname.startsWith('/hops/')) {
      const left = Number(pathname.slice('/hops/'.length));
      const to = left > 1 ? `/hops/${left - 1}` : '/ok';
      return void response.writeHead(302, { Location: to }).end();
    }
    if (pathname === '/to') {
      const status = Number(searchParams.get('status') ?? 302);
      return void response.writeHead(status, { Location: searchParams.get('url') ?? '' }).end();
    }
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () =>
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ method: request.method, headers: request.headers, body })),
    );
  };
  site = await startFakeSite(listener);
  other = await startFakeSite(listener);
  const allow = [site, other].map(({ port }) => ({ host: '127.0.0.1', port }));
  outbound = createOutboundFetch({
    guard: new OutboundGuard({ allow: allow }),
    limits: { idleMs: 300 },
  });
});
afterAll(async () => {
  await Promise.all([site.close(), other.close()]);
});

async function captureFailure(path: string, init?: Parameters<OutboundFetch>[1]): Promise<string> {
  try {
    const response = await outbound(new URL(path, site.origin), init);
    await response.arrayBuffer();
  } catch (error) {
    expect(isSkillError(error)).toBe(true);
    return (error as Error).message.replace(/127\.0\.0\.1:\d+/, 'HOST');
  }
  return 'answered';
}

describe('a response', () => {
  it('is that of fetch: status, headers, URL, body', async () => {
    const response = await outbound(`${site.origin}/echo?x=1`, { method: 'POST', body: 'hello' });
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.url, response.redirected]).toEqual([
      200,
      `${site.origin}/echo?x=1`,
      false,
    ]);
    expect(await response.json()).toMatchObject({ method: 'POST', body: 'hello' });
    expect((await outbound(`${site.origin}/empty`)).body).toBeNull();
  });

  it('is returned for a form and for a Request too', async () => {
    const form = new FormData();
    form.set('model', 'm');
    form.set('file', new Blob(['sound'], { type: 'audio/mpeg' }), 'a.mp3');
    const sent = await (await outbound(`${site.origin}/echo`, { method: 'POST', body: form })).json();
    expect(sent.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(sent.body).toContain('filename="a.mp3"');
    expect(sent.body).toContain('sound');
    const request = new Request(`${site.origin}/echo`, { method: 'PUT', body: 'x', headers: { 'x-a': '1' } });
    expect(await (await outbound(request)).json()).toMatchObject({
      method: 'PUT',
      body: 'x',
      headers: { 'x-a': '1' },
    });
  });

  it('with a status or status text that fetch rejects is returned too', async () => {
    const robots = await outbound(`${site.origin}/status`);
    expect([robots.status, robots.ok, await robots.text()]).toEqual([999, false, 'no']);
    const missing = await outbound(`${site.origin}/words`);
    expect([missing.status, missing.statusText, await missing.text()]).toEqual([404, '', 'gone']);
  });

  it('without end is cut off at the size limit @C12', async () => {
    written = 0;
    expect(await captureFailure('/endless', { maxBytes: MIB })).toBe(
      'The response of HOST is larger than 1 MiB.',
    );
    expect(written).toBeLessThan(32 * MIB);
  });

  it('that is a gzip bomb is cut off by its decompressed size @C12', async () => {
    written = 0;
    expect(await captureFailure('/bomb', { maxBytes: 20 * MIB })).toBe(
      'The response of HOST is larger than 20 MiB.',
    );
    expect(written).toBeLessThan(8 * MIB);
  });

  it('that announces too large a size is not read at all', async () => {
    expect(await captureFailure('/announced')).toBe('The response of HOST is larger than 100 MiB.');
  });

  it('that trickles in ends at the time limit @C12', async () => {
    expect(await captureFailure('/drip', { timeoutMs: 500 })).toBe(
      'HOST did not finish its response within 0.5 s.',
    );
  });

  it('that stalls ends before the time limit', async () => {
    expect(await captureFailure('/stalls', { timeoutMs: 20_000 })).toBe('HOST stopped responding.');
  });

  it('that never begins ends at the time limit', async () => {
    expect(await captureFailure('/silent', { timeoutMs: 300 })).toBe(
      'HOST did not finish its response within 0.3 s.',
    );
  });

  it.each([
    ['/headers', 'The headers of HOST are too large.'],
    ['/short', 'HOST closed the connection before its response was complete.'],
    ['/cut', 'HOST closed the connection before its response was complete.'],
    ['/garbage', 'HOST did not respond with HTTP.'],
    ['/not-gzip', 'The response of HOST is not compressed as its headers say.'],
    [
      'http://no-such-host.invalid/',
      'The host no-such-host.invalid does not exist: its name does not resolve.',
    ],
  ])('of %s fails with the message: %s @C12', async (path, message) => {
    expect(await captureFailure(path)).toBe(message);
  });

  it('of a closed port fails with a refused connection', async () => {
    const gone = await startFakeSite(() => undefined);
    await gone.close();
    const guard = new OutboundGuard({ allow: [{ host: '127.0.0.1', port: gone.port }] });
    await expect(createOutboundFetch({ guard })(gone.origin)).rejects.toThrow(/refused the connection\.$/);
  });

  it('without TLS fails with a message about the certificate', async () => {
    expect(await captureFailure(`https://127.0.0.1:${site.port}/ok`)).toBe(
      'The TLS certificate of HOST cannot be trusted, or it does not speak TLS.',
    );
  });

  it('ends with the signal, before and while it is read', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const response = await outbound(`${site.origin}/drip`, { signal: stop.signal });
    stop.abort(reason);
    await expect(response.text()).rejects.toBe(reason);
    await expect(outbound(`${site.origin}/ok`, { signal: stop.signal })).rejects.toBe(reason);
  });
});

describe('a redirect', () => {
  const secrets = {
    authorization: 'Bearer s',
    cookie: 'a=b',
    'x-api-key': 's',
    'xi-api-key': 's',
    'x-subscription-token': 's',
    'x-provider-key-openai': 's',
    'x-goog-api-key': 's',
    'proxy-authorization': 's',
  };

  it('sends secrets within an origin, and never to another @C11', async () => {
    const headers = { ...secrets, accept: 'text/html', 'accept-language': 'de' };
    const within = await (await outbound(`${site.origin}/to?url=/echo`, { headers })).json();
    expect(within.headers).toMatchObject({ authorization: 'Bearer s', 'x-api-key': 's' });
    const target = encodeURIComponent(`${other.origin}/echo`);
    const across = await (await outbound(`${site.origin}/to?url=${target}`, { headers })).json();
    expect(across.headers).toMatchObject({ accept: 'text/html', 'accept-language': 'de' });
    for (const name of Object.keys(secrets)) expect(across.headers).not.toHaveProperty(name);
    // Not after a redirect back either, because the other origin chooses its target.
    const back = encodeURIComponent(`${other.origin}/to?url=${encodeURIComponent(`${site.origin}/echo`)}`);
    const returned = await (await outbound(`${site.origin}/to?url=${back}`, { headers })).json();
    for (const name of Object.keys(secrets)) expect(returned.headers).not.toHaveProperty(name);
  });

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [307, 'POST', 'POST', 'hello'],
    [308, 'PUT', 'PUT', 'hello'],
    [301, 'PUT', 'PUT', 'hello'],
  ])('by %i of a %s asks with %s', async (status, method, expected, body) => {
    const init = { method, body: 'hello', headers: { 'content-type': 'text/plain' } };
    const answer = await (await outbound(`${site.origin}/to?status=${status}&url=/echo`, init)).json();
    expect([answer.method, answer.body]).toEqual([expected, body]);
    expect(answer.headers['content-type']).toBe(body ? 'text/plain' : undefined);
  });

  it('is followed five times, not six, and never endlessly @C11', async () => {
    const fifth = await outbound(`${site.origin}/hops/5`);
    expect([await fifth.text(), fifth.redirected, fifth.url]).toEqual(['fine', true, `${site.origin}/ok`]);
    expect(await captureFailure('/hops/6')).toBe('The address redirects more than 5 times.');
    expect(await captureFailure('/loop')).toBe('The address redirects more than 5 times.');
  });

  it('is returned or refused if the caller requests that', async () => {
    const manual = await outbound(`${site.origin}/to?url=/ok`, { redirect: 'manual' });
    expect([manual.status, manual.headers.get('location')]).toEqual([302, '/ok']);
    expect(await captureFailure('/to?url=/ok', { redirect: 'error' })).toBe(
      'HOST redirects, but this request does not allow redirects.',
    );
  });
});

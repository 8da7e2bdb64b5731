// An upstream on loopback with responses that once crashed the gateway or one of its workers.
import type { ServerResponse } from 'node:http';
import { createTestServer } from '@/test/support/test-server';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const DEEP = 100_000;
const HUNGRY_PAGE = `<!doctype html><title>hungry</title><script>
  const kept = []; for (;;) kept.push(new Array(1e6).fill(kept.length));
</script>`;

const MANY_NAMES = JSON.stringify(
  Object.fromEntries(Array.from({ length: 95_000 }, (_, at) => [at.toString(36), 0])),
);
/** Free to call: an answer of many names, and an input that is checked with a slow pattern. */
const API = {
  openapi: '3.1.0',
  info: { title: 'Hostile', version: '1' },
  servers: [{ url: '/' }],
  paths: {
    '/names': {
      get: {
        operationId: 'names',
        summary: 'Names',
        parameters: [{ name: 'q', in: 'query', schema: { type: 'string', pattern: '^([a-z]+)*$' } }],
        responses: { 200: { description: 'ok' } },
      },
    },
  },
};

const PAGES: Record<string, (response: ServerResponse) => void> = {
  '/gzip-six-times': (response) => {
    const codings = Array(6).fill('gzip').join(', ');
    response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': codings });
    response.end(PIXEL);
  },
  '/not-gzip': (response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'gzip' });
    response.end('this is not gzip');
  },
  '/redirect': (response) => {
    response.writeHead(302, { location: '/gzip-six-times' });
    response.end();
  },
  '/reset': (response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'content-length': '1000' });
    response.write('<p>half');
    response.destroy();
  },
  '/deep.json': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('['.repeat(DEEP) + ']'.repeat(DEEP));
  },
  '/one-byte-chunks': (response) => {
    response.socket?.write(
      'HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    response.socket?.write('1\r\na\r\n'.repeat(3_000_000));
  },
  '/early-hints': ({ socket }) => {
    const hints = `HTTP/1.1 103 Early Hints\r\n${'X-Hint: a\r\n'.repeat(100)}\r\n`.repeat(50);
    const send = () => {
      if (socket?.writable) socket.write(hints, send);
    };
    send();
  },
  '/openapi.json': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(API));
  },
  '/names': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(MANY_NAMES);
  },
  '/hungry': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(HUNGRY_PAGE);
  },
};

export interface HostileSite {
  /** Host and port. */
  host: string;
  url(path: string): string;
  close(): void;
}

export async function startHostileSite(): Promise<HostileSite> {
  const server = createTestServer((request, response) => {
    response.on('error', () => undefined);
    const page = PAGES[request.url ?? ''];
    if (page) page(response);
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  const host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

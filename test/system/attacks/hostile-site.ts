// An upstream on loopback with responses that once crashed the gateway or one of its workers.
import type { ServerResponse } from 'node:http';
import { createTestServer } from '@/server/testing/test-server';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const DEEP = 100_000;
const HUNGRY_PAGE = `<!doctype html><title>hungry</title><script>
  const kept = []; for (;;) kept.push(new Array(1e6).fill(kept.length));
</script>`;

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

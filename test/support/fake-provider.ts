import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestServer } from './test-server';

/** A fake provider API that records its requests. */
export interface FakeProvider {
  baseUrl: string;
  received: { path: string; headers: IncomingHttpHeaders }[];
  /** Keys rejected with 401; the response repeats the key, as some providers do. */
  rejectedKeys: Set<string>;
  close(): Promise<void>;
}

/** Starts a fake provider on a free port. `/v1/away` redirects to `elsewhere`. */
export async function startFakeProvider(elsewhere?: () => string): Promise<FakeProvider> {
  const asked: FakeProvider['received'] = [];
  const refused = new Set<string>();
  const server = createTestServer((request, response) => {
    asked.push({ path: request.url ?? '', headers: request.headers });
    const bad = [...refused].find((key) => JSON.stringify(request.headers).includes(key));
    if (bad) {
      response.writeHead(401, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ error: `Incorrect API key provided: ${bad}` }));
    } else if (request.url === '/v1/away' && elsewhere) {
      response.writeHead(307, { Location: elsewhere() }).end();
    } else {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ headers: request.headers }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: asked,
    rejectedKeys: refused,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestServer } from './test-server';

/** A provider's API on this machine: remembers what it was asked. */
export interface FakeProvider {
  baseUrl: string;
  asked: { path: string; headers: IncomingHttpHeaders }[];
  /** Keys that it answers 401, repeating them as careless providers do. */
  refused: Set<string>;
  close(): Promise<void>;
}

/** Starts one on a free port. `/v1/away` redirects to `elsewhere`; all other paths answer 200. */
export async function startFakeProvider(elsewhere?: () => string): Promise<FakeProvider> {
  const asked: FakeProvider['asked'] = [];
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
    asked,
    refused,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import type { IncomingMessage, RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createTestServer } from './test-server';

/** A fake website on this machine. */
export interface FakeSite {
  readonly origin: string;
  readonly port: number;
  /** Requests in order. */
  readonly requests: IncomingMessage[];
  /** Total number of connections opened. */
  connections(): number;
  close(): Promise<void>;
}

/** Starts a site on 127.0.0.1 or another local address; the caller closes it. */
export async function startFakeSite(listener: RequestListener, host = '127.0.0.1'): Promise<FakeSite> {
  const requests: IncomingMessage[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createTestServer((request, response) => {
    requests.push(request);
    listener(request, response);
  });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    port,
    requests,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

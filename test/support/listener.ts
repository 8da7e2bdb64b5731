import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Dispatcher } from '@/server/api/dispatch/dispatch';
import { ignoreExpectations, nodeAdapter } from '@/server/api/dispatch/node-adapter';
import { continueWhenRead } from '@/server/api/http/continue-when-read';
import { createTestServer } from './test-server';

/** An HTTP server for a harness, like the gateway's own but without Next. */
export interface Listener {
  readonly baseUrl: string;
  answerWith(dispatcher: Dispatcher): void;
  /** Closes the server and its open connections. */
  close(): Promise<void>;
}

/** Binds a free port of 127.0.0.1. Until `answerWith` sets a dispatcher, requests get 503. */
export async function openListener(): Promise<Listener> {
  let answer: RequestListener = (_req, res) => {
    res.writeHead(503).end();
  };
  const server = createTestServer((req, res) => answer(req, res));
  ignoreExpectations(server);
  continueWhenRead(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    answerWith(dispatcher) {
      answer = nodeAdapter(dispatcher);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

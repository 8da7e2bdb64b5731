import type { AddressInfo } from 'node:net';
import { fetchAdapter } from '@/server/api/dispatch/fetch-adapter';
import { nodeAdapter } from '@/server/api/dispatch/node-adapter';
import type { Harness } from './harness';
import { createTestServer } from './test-server';

export type Send = (path: string, init?: RequestInit) => Promise<Response>;

export interface ServedHarness {
  base: string;
  /** Sends over a socket, to the server in front of Next. */
  onNode: Send;
  /** Sends to a Next route. */
  throughNext: Send;
  close(): void;
}

/** Serves a harness on a real socket and as a Next route. */
export async function serveHarness(harness: Harness): Promise<ServedHarness> {
  const server = createTestServer(nodeAdapter(harness.dispatcher));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handle = fetchAdapter(harness.dispatcher);
  return {
    base,
    onNode: (path, init) => fetch(base + path, init),
    async throughNext(path, init) {
      const answer = await handle(new Request(`http://127.0.0.1${path}`, init));
      // Buffered: Next cancels a body that is not read, a test does not.
      return answer.body === null ? answer : new Response(await answer.arrayBuffer(), answer);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Builds the form of an upload. */
export function buildForm(
  content: string | Uint8Array<ArrayBuffer>,
  { name = 'a.txt', type = 'text/plain', fields = {} as Record<string, string> } = {},
): FormData {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  body.set('file', new Blob([content], { type }), name);
  return body;
}

/** Uploads a file with an API key. */
export function upload(
  ask: Send,
  key: string,
  body: FormData,
  headers: Record<string, string> = {},
): Promise<Response> {
  return ask('/v1/assets/upload', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  });
}

import type { AddressInfo } from 'node:net';
import { fetchAdapter } from '../api/dispatch/fetch-adapter';
import { nodeAdapter } from '../api/dispatch/node-adapter';
import type { Harness } from './harness';
import { createTestServer } from './test-server';

export type Ask = (path: string, init?: RequestInit) => Promise<Response>;

export interface ServedHarness {
  base: string;
  /** Over a socket, as the front answers. */
  onNode: Ask;
  /** As a Next route answers. */
  throughNext: Ask;
  close(): void;
}

/** A harness behind a real socket, and as a Next route. */
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
      // Taken whole: Next lets go of a body that nobody reads, a test does not.
      return answer.body === null ? answer : new Response(await answer.arrayBuffer(), answer);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The body of an upload. */
export function form(
  content: string | Uint8Array<ArrayBuffer>,
  { name = 'a.txt', type = 'text/plain', fields = {} as Record<string, string> } = {},
): FormData {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.set(field, value);
  body.set('file', new Blob([content], { type }), name);
  return body;
}

/** An upload with a key. */
export function upload(
  ask: Ask,
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

import type { AddressInfo } from 'node:net';
import { createTestServer } from '@/test/support/test-server';

/** A proxy in front of several gateways. */
export interface CuttingProxy {
  baseUrl: string;
  /** Paths of the requests so far. */
  requests: string[];
  close(): Promise<void>;
}

/**
 * Starts a proxy that cuts each stream after one event, and sends the next request to the next
 * gateway.
 */
export async function startCuttingProxy(...gateways: string[]): Promise<CuttingProxy> {
  const requests: string[] = [];
  const server = createTestServer(async (req, res) => {
    const target = gateways[requests.push(req.url ?? '') % gateways.length] ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(chunk);
    // fetch computes the length, and the package undici refuses a second one.
    const { host: _, connection: __, 'content-length': ___, ...headers } = req.headers;
    const gone = new AbortController();
    const response = await fetch(`${target}${req.url}`, {
      method: req.method ?? 'GET',
      headers: headers as Record<string, string>,
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
      signal: gone.signal,
    });
    const type = response.headers.get('content-type') ?? '';
    res.writeHead(response.status, { 'content-type': type });
    if (!type.startsWith('text/event-stream')) return void res.end(await response.text());
    const event = await readOneEvent(response);
    gone.abort();
    res.write(event, () => res.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
}

async function readOneEvent({ body }: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    const end = text.indexOf('\n\n');
    if (end >= 0) return text.slice(0, end + 2);
  }
  return text;
}

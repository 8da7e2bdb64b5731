import { createServer, type RequestListener, type Server } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { triggerInstrumentation } from './serve';

/** Ports that fetch blocks, like browsers. */
const BLOCKED = [6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080];

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listenOnBlocked(answer: RequestListener): Promise<{ server: Server; port: number }> {
  for (const port of BLOCKED) {
    const candidate = createServer(answer);
    const bound = await new Promise<boolean>((resolve) => {
      candidate.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (bound) return { server: candidate, port };
  }
  throw new Error('None of the blocked ports is free');
}

it('sends the first request of a start on any port, also one that fetch blocks', async () => {
  const asked: unknown[] = [];
  const listening = await listenOnBlocked((req, res) => {
    asked.push(req.url);
    res.end('{"status":"ok"}');
  });
  server = listening.server;
  // Control: with fetch, the start failed.
  await expect(fetch(`http://127.0.0.1:${listening.port}/healthz`)).rejects.toThrow();
  await triggerInstrumentation(listening.server);
  expect(asked).toEqual(['/healthz']);
});

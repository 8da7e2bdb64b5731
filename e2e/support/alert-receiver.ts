import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A Slack-compatible webhook: POST adds a message, GET lists them. */
export interface AlertReceiver {
  url: string;
  close(): void;
}

/** Starts a receiver on a free port of this machine. */
export async function startAlertReceiver(): Promise<AlertReceiver> {
  const messages: string[] = [];
  const server: Server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.end(JSON.stringify(messages));
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    messages.push(JSON.parse(Buffer.concat(chunks).toString()).text);
    response.end('ok');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/alerts`, close: () => server.close() };
}

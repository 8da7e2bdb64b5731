import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { createTestServer } from './test-server';

/** A request that the receiver got. */
export interface ReceivedWebhook {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** How the receiver behaves: `hang` never answers, `down` closes the connection. */
type ReceiverMode = 'down' | 'hang' | { status: number; headers?: Record<string, string>; body?: string };

/** A server of a customer that receives webhooks. */
export interface WebhookReceiver {
  url: string;
  /** The value of OUTBOUND_ALLOW with which a gateway can reach it. */
  allow: string;
  /** All requests, also those that it answered with a failure. */
  received: ReceivedWebhook[];
  /** Those that it accepted, with a status of 2xx. */
  accepted: ReceivedWebhook[];
  /** Those without an answer whose sender still waits. */
  open: Set<ReceivedWebhook>;
  mode: ReceiverMode;
  close(): Promise<void>;
}

export async function startReceiver(): Promise<WebhookReceiver> {
  const server = createTestServer((request, response) => void handle(request, response));
  await new Promise<void>((ready) => {
    server.listen(0, '127.0.0.1', ready);
  });
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    allow: `127.0.0.1:${port}`,
    received: [],
    accepted: [],
    open: new Set(),
    mode: { status: 204 },
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { mode } = receiver;
    if (mode === 'down') return request.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { headers, url: path = '' } = request;
    const webhook = { path, headers, body: Buffer.concat(chunks).toString('utf8') };
    receiver.received.push(webhook);
    receiver.open.add(webhook);
    response.once('close', () => receiver.open.delete(webhook));
    if (mode === 'hang') return;
    if (mode.status >= 200 && mode.status < 300) receiver.accepted.push(webhook);
    response.writeHead(mode.status, mode.headers).end(mode.body);
  };
  return receiver;
}

/** The event of a request, verified as in the guide. @throws if there is none, or it is forged */
export function verifyWebhook(
  webhook: ReceivedWebhook | undefined,
  secret: string,
): { type: string; timestamp: string; data: Record<string, unknown> } {
  if (!webhook) throw new Error('No webhook was received');
  const { headers, body } = webhook;
  return new Webhook(secret).verify(body, headers as Record<string, string>) as ReturnType<
    typeof verifyWebhook
  >;
}

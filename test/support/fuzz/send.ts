import { Agent, request } from 'node:http';

export interface SentRequest {
  method: string;
  /** The target as sent in the request line. */
  target: string;
  /** Names may repeat. */
  headers: readonly (readonly [string, string])[];
  body: Buffer | null;
}

export interface Received {
  status: number;
  headers: Record<string, string>;
  text: string;
}

const TIMEOUT_MS = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** Sends bytes unchanged over a socket, so that no client library corrects or rejects them. */
export function send(baseUrl: string, { method, target, headers, body }: SentRequest): Promise<Received> {
  const { hostname, port, host } = new URL(baseUrl);
  const length: [string, string][] = body === null ? [] : [['Content-Length', String(body.length)]];
  const named = [['Host', host], ...headers, ...length].flat();
  return new Promise((resolve, reject) => {
    const req = request(
      { agent, hostname, port, method, path: target, headers: named as never, timeout: TIMEOUT_MS },
      (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.once('error', reject);
        res.once('end', () =>
          resolve({
            status: res.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(res.headers).map(([name, value]) => [name, String(value)]),
            ),
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        );
      },
    );
    req.once('timeout', () => req.destroy(new Error('There was no response')));
    req.once('error', reject);
    req.end(body ?? undefined);
  });
}

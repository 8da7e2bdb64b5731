import { Agent, request } from 'node:http';

export interface SentRequest {
  method: string;
  /** As it stands in the request line. */
  target: string;
  /** Also twice the same name. */
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

/** Sends bytes as they are, over a socket: no client library mends or refuses anything on the way. */
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
    req.once('timeout', () => req.destroy(new Error('There was no answer')));
    req.once('error', reject);
    req.end(body ?? undefined);
  });
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { FakeStripe } from './fake-stripe';

const MAX_BODY_BYTES = 100_000;

/**
 * A request listener for `http.createServer`, also for Express and Connect.
 * @param prefix where it is mounted if the server does not remove that prefix, e.g. `/stripe`
 */
export function createNodeListener(
  fakeStripe: Pick<FakeStripe, 'serve'>,
  prefix = '',
): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    // A dropped connection ends here too: the client sees it, the process goes on.
    respond(fakeStripe, prefix, req, res).catch(() => res.destroy());
  };
}

async function respond(
  fakeStripe: Pick<FakeStripe, 'serve'>,
  prefix: string,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const body = await readBody(req);
  if (body === null) {
    res.writeHead(413, { Connection: 'close' }).end('Request body too large');
    return;
  }
  const target = req.url?.startsWith(prefix) ? req.url.slice(prefix.length) : req.url;
  const url = `http://localhost${target?.startsWith('/') ? target : `/${target ?? ''}`}`;
  const headers = new Headers();
  for (const [name, values] of Object.entries(req.headersDistinct))
    for (const value of values ?? []) headers.append(name, value);
  const hasBody = req.method !== 'GET' && req.method !== 'HEAD';
  const response = await fakeStripe.serve(
    new Request(url, { method: req.method ?? 'GET', headers, body: hasBody ? body : null }),
  );
  res.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body) await pipeline(response.body, res);
  else res.end();
}

/** Null if it is too large. */
async function readBody(req: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Lets no more than so many bytes of a body through. What answers the pages reads bodies whole into
 * memory, before any sign-in too (next-auth's forms, tRPC), and a body sent in chunks says nothing
 * of its length: it is counted as it comes.
 * @returns false: the length that was announced is refused already
 */
export function limitBody(req: IncomingMessage, res: ServerResponse, limit: number): boolean {
  if (Number(req.headers['content-length'] ?? 0) > limit) {
    refuse(req, res);
    return false;
  }
  let size = 0;
  let over = false;
  const push = req.push.bind(req);
  req.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    // Not its end either: half a body must not be taken for the whole.
    if (over) return false;
    size += chunk?.byteLength ?? 0;
    // Where it is answered already, the rest is only thrown away.
    if (size <= limit || res.headersSent) return push(chunk, encoding);
    over = true;
    refuse(req, res);
    return false;
  };
  return true;
}

function refuse(req: IncomingMessage, res: ServerResponse): void {
  res.writeHead(413, {
    'Content-Type': 'text/plain; charset=UTF-8',
    'Cache-Control': 'no-store',
    Connection: 'close',
  });
  res.end('Payload Too Large');
  // The reader of the body learns that the rest will not come.
  res.once('close', () => req.destroy(new Error('Payload Too Large')));
}

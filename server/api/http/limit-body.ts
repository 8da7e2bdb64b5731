import type { IncomingMessage, ServerResponse } from 'node:http';
import { textResponse, writeResponse } from '../../core/http/responses';

/**
 * Caps the size of a request body. Next and its handlers read whole bodies into memory, even before
 * sign-in (next-auth's forms, tRPC), and a chunked body announces no length, so bytes are counted
 * as they arrive.
 * @returns false if the announced length already exceeds the limit
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
    // The end is dropped too: a truncated body must not pass for a complete one.
    if (over) return false;
    size += chunk?.byteLength ?? 0;
    // If the response was sent already, the rest is only discarded.
    if (size <= limit || res.headersSent) return push(chunk, encoding);
    over = true;
    refuse(req, res);
    return false;
  };
  return true;
}

function refuse(req: IncomingMessage, res: ServerResponse): void {
  writeResponse(res, textResponse(413, 'Payload Too Large', { Connection: 'close' }));
  // Fails the reader of the body, which would otherwise wait for the rest.
  res.once('close', () => req.destroy(new Error('Payload Too Large')));
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { textResponse, writeResponse } from '../../core/http/responses';
import { ChunkLimit } from '../../kit/chunk-limit';

/** Anyone may send requests, so fewer than of an upstream: each costs some microseconds. */
const FEW_PIECES = 5_000;

/**
 * Caps the size of a request body. Next and its handlers read whole bodies into memory, even before
 * sign-in (next-auth's forms, tRPC), and a chunked body announces no length, so bytes are counted
 * as they arrive.
 * @returns false if the announced length already exceeds the limit
 */
export function limitBody(req: IncomingMessage, res: ServerResponse, limit: number): boolean {
  const refuse = () => writeResponse(res, textResponse(413, 'Payload Too Large', { Connection: 'close' }));
  if (Number(req.headers['content-length'] ?? 0) > limit) {
    refuse();
    failReader(req, res);
    return false;
  }
  let size = 0;
  const isOver = (bytes: number) => {
    size += bytes;
    return size > limit;
  };
  stopBody(req, res, isOver, refuse);
  return true;
}

/**
 * Refuses a chunked body that arrives in too many small pieces: without it, a body of 1 MiB takes
 * seconds of processor time. Other bodies have the pieces that the network made.
 * @param refuse writes the response, which must close the connection
 */
export function limitPieces(req: IncomingMessage, res: ServerResponse, refuse: () => void): void {
  if (req.headers['transfer-encoding'] === undefined) return;
  const pieces = new ChunkLimit(FEW_PIECES);
  stopBody(req, res, (bytes) => pieces.isExceededBy(bytes), refuse);
}

/** Drops the rest of a body once it is over, and refuses the request unless it was answered. */
function stopBody(
  req: IncomingMessage,
  res: ServerResponse,
  isOver: (bytes: number) => boolean,
  refuse: () => void,
): void {
  let over = false;
  const push = req.push.bind(req);
  req.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
    // The end is dropped too: a truncated body must not pass for a complete one.
    if (over) return false;
    over = chunk !== null && isOver(chunk.byteLength);
    if (!over) return push(chunk, encoding);
    if (res.headersSent) req.destroy();
    else {
      refuse();
      failReader(req, res);
    }
    return false;
  };
}

/** Fails the reader of the body, which would otherwise wait for the rest. */
function failReader(req: IncomingMessage, res: ServerResponse): void {
  res.once('close', () => req.destroy(new Error('Payload Too Large')));
}

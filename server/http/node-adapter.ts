import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from './dispatch';
import { BodyTooLarge, type HttpRequest } from './message';

/** What is thrown away of a body that was refused, so that its sender can read the answer; past it the line is cut. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/** The dispatcher on Node's own server: the front, before Next. */
export function nodeAdapter(dispatcher: Dispatcher): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    const controller = new AbortController();
    res.on('close', () => {
      if (!res.writableFinished) controller.abort(new Error('The client has gone'));
    });
    void dispatcher.answer(nodeRequest(req, controller.signal)).then(({ status, headers, body }) => {
      if (res.destroyed) return;
      const bytes = body === null ? undefined : Buffer.from(body, 'utf8');
      if (bytes) headers['Content-Length'] = String(bytes.byteLength);
      res.writeHead(status, headers);
      if (req.method === 'HEAD' || !bytes) res.end();
      else res.end(bytes);
    });
  };
}

function nodeRequest(req: IncomingMessage, signal: AbortSignal): HttpRequest {
  return {
    method: req.method ?? 'GET',
    target: req.url ?? '/',
    header(name) {
      const value = req.headers[name];
      return Array.isArray(value) ? value.join(', ') : value;
    },
    *headersWith(prefix) {
      for (const [name, value] of Object.entries(req.headers))
        if (name.startsWith(prefix) && typeof value === 'string') yield [name, value];
    },
    remoteAddress: req.socket.remoteAddress ?? '',
    signal,
    body: (limit) => readBody(req, limit),
  };
}

function readBody(req: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let refused = false;
    const refuse = () => {
      refused = true;
      chunks.length = 0;
      reject(new BodyTooLarge());
    };
    if (Number(req.headers['content-length'] ?? 0) > limit) refuse();
    req.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (refused) {
        if (size > MAX_DISCARDED_BYTES) req.destroy();
      } else if (size > limit) refuse();
      else chunks.push(chunk);
    });
    req.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    req.on('error', reject);
    req.on('aborted', () => reject(new Error('The client has gone')));
  });
}

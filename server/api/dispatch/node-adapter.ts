import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import {
  BodyTooLarge,
  type ByteBody,
  type HttpRequest,
  type HttpResponse,
  isBytes,
  isStream,
  type StreamBody,
} from '../../core/http/message';
import type { CallEvent } from '../../core/trpc/context';
import { withErrorListener } from '../../kit/error-listener';
import { guarded, logUncaught } from '../../kit/guarded';
import type { Observer } from '../../platform/observe/observer';
import { writeEvents } from '../http/sse';
import type { UnreadAnswers } from '../http/unread-answers';

/**
 * Bytes of a refused body that are read and discarded so that the client can read the answer;
 * beyond this the connection is closed.
 */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

/**
 * Bytes of events that may be buffered for a slow client; beyond this the connection is closed, and
 * the client polls the job.
 */
const MAX_UNREAD_BYTES = 8 * 1024 * 1024;

/** Larger answers are written in pieces of this size. */
const PIECE_BYTES = 256 * 1024;
/** Closes a connection that reads nothing for this long: its buffered answer holds megabytes. */
const UNREAD_MS = 120_000;

/** Answers requests: the dispatcher, or the probes of a worker. */
interface Answerer {
  readonly observer: Pick<Observer, 'requestEnded'>;
  answer(request: HttpRequest): Promise<HttpResponse>;
}

/**
 * The dispatcher as a request listener of Node's HTTP server, which runs in front of Next.
 * @param unreadMs shorter in tests
 * @param unread limits the memory that unread answers may hold
 */
export function nodeAdapter(
  dispatcher: Answerer,
  unreadMs = UNREAD_MS,
  unread?: Pick<UnreadAnswers, 'check'>,
): (req: IncomingMessage, res: ServerResponse) => void {
  return (req, res) => {
    withErrorListener(res);
    const request = new NodeRequest(req, res);
    const began = performance.now();
    const answered = dispatcher.answer(request).then((response) => {
      const { status, headers, body } = response;
      if (request.streamed) discardRest(req);
      if (body !== null && typeof body !== 'string' && !Buffer.isBuffer(body)) {
        const written = () => unread?.check(req, res);
        res.once(
          'close',
          guarded(() => reportRequestEnded(dispatcher, request, response, began)),
        );
        if (isBytes(body)) sendBytes(res, status, headers, body);
        else if (isStream(body))
          void sendStream(res, status, headers, body, written).catch(() => res.destroy());
        else void sendEvents(res, status, headers, body, unreadMs, written).catch(() => res.destroy());
        return;
      }
      if (body !== null) headers['Content-Length'] = String(Buffer.byteLength(body));
      reportRequestEnded(dispatcher, request, response, began);
      if (res.destroyed) return;
      res.writeHead(status, headers);
      if (req.method === 'HEAD' || body === null) res.end();
      else if (Number(headers['Content-Length']) > PIECE_BYTES)
        void sendPieces(res, Buffer.from(body), (left) => unread?.check(req, res, left))
          .then(() => res.end())
          .catch(() => res.destroy());
      // A string, because Node sends it in one write with the headers.
      else if (typeof body === 'string') res.end(body, 'utf8');
      else res.end(body);
      if (res.writableLength > 0) {
        res.setTimeout(unreadMs, () => res.destroy());
        unread?.check(req, res);
      }
    });
    answered.catch((error) => {
      logUncaught(error);
      res.destroy();
    });
  };
}

/**
 * Writes at the client's pace, so that each piece shows that the client reads.
 * @param written called with the bytes that are left, before it waits
 */
async function sendPieces(
  res: ServerResponse,
  bytes: Uint8Array,
  written: (left: number) => void,
): Promise<void> {
  for (let at = 0; at < bytes.byteLength && !res.destroyed; at += PIECE_BYTES) {
    if (res.write(bytes.subarray(at, at + PIECE_BYTES))) continue;
    written(bytes.byteLength - at);
    await waitUntilRead(res);
  }
}

/** Resolves when the client has read what was written, or has left. */
function waitUntilRead(res: ServerResponse): Promise<void> {
  if (res.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

/**
 * Ignores unknown values of Expect, as RFC 9110 section 10.1.1 allows: Node's own 417 has no body,
 * request id or headers of ours.
 */
export function ignoreExpectations(server: Server): void {
  server.on(
    'checkExpectation',
    guarded((req, res) => server.emit('request', req, res)),
  );
}

function reportRequestEnded(
  { observer }: Answerer,
  { method, target }: HttpRequest,
  { status, headers, reply }: HttpResponse,
  began: number,
): void {
  const requestId = headers['X-Request-Id'] ?? '';
  const length = headers['Content-Length'];
  const bytes = length === undefined ? undefined : Number(length);
  observer.requestEnded({ method, target, status, began, requestId, bytes, reply });
}

/** Reads the store at the client's pace and closes it when the client disconnects. */
function sendBytes(
  res: ServerResponse,
  status: number,
  headers: Record<string, string>,
  { bytes }: ByteBody,
): void {
  if (!res.destroyed) res.writeHead(status, headers);
  res.setTimeout(UNREAD_MS, () => res.destroy());
  pipeline(
    bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false }),
    requireLength(Number(headers['Content-Length'])),
    res,
    () => undefined,
  );
}

/**
 * Passes bytes through and fails if fewer than announced arrive: the client would read the next
 * answer as the rest of this one.
 */
function requireLength(length: number): Transform {
  let sent = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _, done) {
      sent += chunk.byteLength;
      done(null, chunk);
    },
    flush: (done) =>
      done(sent < length ? new Error('The asset store sent fewer bytes than announced') : null),
  });
  return withErrorListener(counted);
}

/** Reads and discards the rest of a refused body, so that the client can read the answer. */
function discardRest(req: IncomingMessage): void {
  if (req.readableEnded || req.destroyed) return;
  let size = 0;
  req.unpipe();
  req.on('error', () => undefined);
  req.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size > MAX_DISCARDED_BYTES) req.destroy();
  });
  req.resume();
}

/** Writes each chunk at once; cancels the stream when the client disconnects or stops reading. */
async function sendStream(
  res: ServerResponse,
  status: number,
  headers: Record<string, string>,
  { stream }: StreamBody,
  written: () => void,
): Promise<void> {
  const reader = stream.getReader();
  const leave = () => void reader.cancel().catch(() => undefined);
  if (res.destroyed) return leave();
  res.once('close', leave);
  res.writeHead(status, headers);
  // Confirms to the client that the stream is open, before its first message.
  res.flushHeaders();
  res.socket?.setNoDelay(true);
  for (;;) {
    const { done, value } = await reader.read();
    if (done || res.destroyed) break;
    res.write(value);
    written();
    if (res.writableLength > MAX_UNREAD_BYTES) {
      res.destroy();
      return;
    }
  }
  res.end();
  if (res.writableLength > 0) res.setTimeout(UNREAD_MS, () => res.destroy());
}

/** Stops writing when the client disconnects; the source of the events is not cancelled. */
async function sendEvents(
  res: ServerResponse,
  status: number,
  headers: Record<string, string>,
  events: AsyncIterable<CallEvent>,
  unreadMs: number,
  written: () => void,
): Promise<void> {
  if (!res.destroyed) res.writeHead(status, headers);
  // Nagle's algorithm would delay small events.
  res.socket?.setNoDelay(true);
  await writeEvents(events, (chunk) => {
    if (res.destroyed || res.writableLength > MAX_UNREAD_BYTES) return false;
    res.write(chunk);
    written();
    return true;
  });
  if (res.writableLength > MAX_UNREAD_BYTES) res.destroy();
  else res.end();
  if (res.writableLength > 0) res.setTimeout(unreadMs, () => res.destroy());
}

/**
 * A class, because an object literal with a getter gets a new hidden class each time, which V8
 * retains together with everything it references.
 */
class NodeRequest implements HttpRequest {
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  #signal: AbortSignal | undefined;
  /** Whether the body was requested as a stream. */
  streamed = false;

  constructor(req: IncomingMessage, res: ServerResponse) {
    this.#req = req;
    this.#res = res;
  }

  get method(): string {
    return this.#req.method ?? 'GET';
  }

  get target(): string {
    return this.#req.url ?? '/';
  }

  get remoteAddress(): string {
    return this.#req.socket.remoteAddress ?? '';
  }

  /** Created on first use: few procedures need it, and a controller costs more than routing. */
  get signal(): AbortSignal {
    this.#signal ??= abortedWhenGone(this.#res);
    return this.#signal;
  }

  header(name: string): string | undefined {
    const value = this.#req.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  *headersWith(prefix: string): Iterable<[string, string]> {
    const { headers } = this.#req;
    for (const name in headers) {
      const value = name.startsWith(prefix) ? headers[name] : undefined;
      if (typeof value === 'string') yield [name, value];
    }
  }

  body(limit: number): Promise<Buffer> {
    return readBody(this.#req, limit);
  }

  stream(): Readable {
    this.streamed = true;
    return this.#req;
  }
}

function abortedWhenGone(res: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    if (!res.writableFinished) controller.abort(new Error('The client disconnected'));
  };
  if (res.closed) abort();
  else res.on('close', abort);
  return controller.signal;
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
    if (Number(req.headers['content-length'] ?? 0) > limit) {
      refuse();
      // A client that waits for 100 Continue sends no body.
      if (req.headers.expect !== undefined) return;
    }
    // Cannot throw: a chunk of a request is always a Buffer
    req.on('data', (chunk: Buffer) => {
      size += chunk.byteLength;
      if (refused) {
        if (size > MAX_DISCARDED_BYTES) req.destroy();
      } else if (size > limit) refuse();
      else chunks.push(chunk);
    });
    req.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    req.on('error', reject);
    req.on('aborted', () => reject(new Error('The client disconnected')));
  });
}

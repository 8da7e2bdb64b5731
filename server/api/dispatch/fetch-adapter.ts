import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import {
  BodyTooLarge,
  type HttpRequest,
  type HttpResponse,
  isBytes,
  isStream,
} from '../../core/http/message';
import type { CallEvent } from '../../core/trpc/context';
import { writeEvents } from '../http/sse';
import type { Dispatcher } from './dispatch';

/** The dispatcher as a Next route handler, for hosts that only run Next and for development. */
export function fetchAdapter(dispatcher: Dispatcher): (request: Request) => Promise<Response> {
  return async (request) => {
    const began = performance.now();
    const incoming = fetchRequest(request);
    const { status, headers, body, reply } = await dispatcher.answer(incoming);
    const { method, target } = incoming;
    const requestId = headers['X-Request-Id'] ?? '';
    dispatcher.observer.requestEnded({ method, target, status, began, requestId, reply });
    return new Response(request.method === 'HEAD' ? null : toBodyInit(body, headers), { status, headers });
  };
}

function toBodyInit(body: HttpResponse['body'], headers: HttpResponse['headers']): BodyInit | null {
  if (body === null || typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return new Uint8Array(body);
  if (isStream(body)) return body.stream;
  return isBytes(body) ? streamBytes(body.bytes, Number(headers['Content-Length'])) : streamEvents(body);
}

/**
 * Pulls bytes at the client's pace and closes the source when it disconnects. A source that ends
 * before `length` bytes fails the stream.
 */
function streamBytes(bytes: AsyncIterable<Uint8Array>, length: number): ReadableStream<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (!done) {
        sent += value.byteLength;
        controller.enqueue(value);
      } else if (sent < length)
        controller.error(new Error('The asset store sent fewer bytes than announced'));
      else controller.close();
    },
    async cancel() {
      // A generator that was never started ignores `return`, so a Readable is destroyed.
      if (bytes instanceof Readable) bytes.destroy();
      await chunks.return?.();
    },
  });
}

/**
 * Streams events as they arrive.
 * @param onGone called when the client disconnects before the end
 */
export function streamEvents(
  events: AsyncIterable<CallEvent>,
  onGone?: () => void,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let gone = false;
  return new ReadableStream({
    start(controller) {
      const written = writeEvents(events, (chunk) => {
        if (gone) return false;
        controller.enqueue(encoder.encode(chunk));
        return true;
      }).then(() => {
        if (!gone) controller.close();
      });
      written.catch((error) => controller.error(error));
    },
    cancel() {
      gone = true;
      onGone?.();
    },
  });
}

/** Converts a Fetch API request into the dispatcher's request. */
export function fetchRequest(request: Request): HttpRequest {
  const url = new URL(request.url);
  return {
    method: request.method,
    target: url.pathname + url.search,
    header: (name) => request.headers.get(name) ?? undefined,
    *headersWith(prefix) {
      for (const [name, value] of request.headers) if (name.startsWith(prefix)) yield [name, value];
    },
    // serve.mjs sets this header to the peer's address; where Next runs alone, the proxy does.
    remoteAddress: request.headers.get('x-gateway-peer') ?? '',
    signal: request.signal,
    body: (limit) => readBody(request, limit),
    stream: () => bodyStream(request),
  };
}

function bodyStream(request: Request): Readable {
  // The DOM and Node declare the same class as two types.
  const body = request.body as NodeReadableStream | null;
  const stream = body ? Readable.fromWeb(body) : Readable.from([]);
  // Without a listener, an error on a body that is refused unread would crash the process.
  return stream.on('error', () => undefined);
}

async function readBody(request: Request, limit: number): Promise<Buffer> {
  if (Number(request.headers.get('content-length') ?? 0) > limit) throw new BodyTooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (request.body)
    for await (const chunk of request.body) {
      size += chunk.byteLength;
      if (size > limit) throw new BodyTooLarge();
      chunks.push(chunk);
    }
  return Buffer.concat(chunks);
}

import type { Readable } from 'node:stream';
import type { CallEvent, Reply } from '../trpc/context';

/** A request as the dispatcher sees it, independent of the HTTP server. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly target: string;
  /** By lower-case name; repeated fields are joined with a comma. */
  header(name: string): string | undefined;
  /** Headers with this prefix, in lower case. */
  headersWith(prefix: string): Iterable<[string, string]>;
  readonly remoteAddress: string;
  /** Aborts when the client disconnects before the response. */
  readonly signal: AbortSignal;
  /**
   * Reads the complete body.
   * @throws BodyTooLarge once it exceeds the limit; the excess is not buffered
   */
  body(limitBytes: number): Promise<Buffer>;
  /** Streams the body, once. Fails if the client disconnects. */
  stream(): Readable;
}

/** A byte body with a known length, which the headers state. */
export interface ByteBody {
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A byte stream of unknown length, sent as it is produced (MCP). Cancelled on disconnect. */
export interface StreamBody {
  readonly stream: ReadableStream<Uint8Array>;
}

/** A body that is streamed. */
export type LongBody = ByteBody | StreamBody | AsyncIterable<CallEvent>;

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  /** Null: no body. Events and streams are flushed one by one; bytes are sent with backpressure. */
  body: string | Buffer | null | LongBody;
  /** Facts about the request, for logs and metrics. */
  reply?: Reply;
}

export function isBytes(body: LongBody): body is ByteBody {
  return 'bytes' in body;
}

export function isStream(body: LongBody): body is StreamBody {
  return 'stream' in body;
}

/** The same request, with a body that can be read repeatedly. */
export function bufferBody(request: HttpRequest): HttpRequest {
  let body: Promise<Buffer> | undefined;
  return {
    method: request.method,
    target: request.target,
    remoteAddress: request.remoteAddress,
    get signal() {
      return request.signal;
    },
    header: (name) => request.header(name),
    headersWith: (prefix) => request.headersWith(prefix),
    body(limitBytes) {
      body ??= request.body(limitBytes);
      return body;
    },
    stream: () => request.stream(),
  };
}

/** The body exceeded the limit. */
export class BodyTooLarge extends Error {}

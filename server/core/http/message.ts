import type { Readable } from 'node:stream';
import type { CallEvent, Reply } from '../trpc/context';

/** A request as the dispatcher sees it, whatever server it came through. */
export interface HttpRequest {
  readonly method: string;
  /** Path and query as the client sent them. */
  readonly target: string;
  /** Lower-case names; a field that came twice is joined with a comma. */
  header(name: string): string | undefined;
  /** Every header whose name starts so, lower-case. */
  headersWith(prefix: string): Iterable<[string, string]>;
  readonly remoteAddress: string;
  /** Aborted when the client has gone before its answer. */
  readonly signal: AbortSignal;
  /**
   * The whole body.
   * @throws BodyTooLarge once more than the limit has come, without keeping it
   */
  body(limitBytes: number): Promise<Buffer>;
  /** The body as it comes, once. Ends in an error where the client goes first. */
  stream(): Readable;
}

/** Bytes whose number the headers tell. */
export interface ByteBody {
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Bytes whose number nobody knows yet, sent as they come: messages of MCP. Cancelled when the client has gone. */
export interface StreamBody {
  readonly stream: ReadableStream<Uint8Array>;
}

/** A body that does not come as one text. */
export type LongBody = ByteBody | StreamBody | AsyncIterable<CallEvent>;

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  /** Null: no body. Events and streams are sent one by one as they come, bytes as fast as they are taken; a buffer is whole. */
  body: string | Buffer | null | LongBody;
  /** What is known of the request, for those who watch. */
  reply?: Reply;
}

export function isBytes(body: LongBody): body is ByteBody {
  return 'bytes' in body;
}

export function isStream(body: LongBody): body is StreamBody {
  return 'stream' in body;
}

/** A request whose body can be read again. */
export class KeptBody implements HttpRequest {
  readonly #request: HttpRequest;
  #body: Promise<Buffer> | undefined;

  constructor(request: HttpRequest) {
    this.#request = request;
  }

  get method(): string {
    return this.#request.method;
  }

  get target(): string {
    return this.#request.target;
  }

  get remoteAddress(): string {
    return this.#request.remoteAddress;
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }

  header(name: string): string | undefined {
    return this.#request.header(name);
  }

  headersWith(prefix: string): Iterable<[string, string]> {
    return this.#request.headersWith(prefix);
  }

  body(limitBytes: number): Promise<Buffer> {
    this.#body ??= this.#request.body(limitBytes);
    return this.#body;
  }

  stream(): Readable {
    return this.#request.stream();
  }
}

/** The body passed the limit. */
export class BodyTooLarge extends Error {}

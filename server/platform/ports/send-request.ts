import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, constants as zlib } from 'node:zlib';
import type { Agent } from 'undici';
import { SkillError } from '../../core/errors/skill-error';
import { ChunkLimit } from '../../kit/chunk-limit';
import { withErrorListener } from '../../kit/error-listener';
import type { OutboundDeadline } from './outbound-body';

/**
 * Responses up to this Content-Length are buffered: a stream costs more than the rest of a request.
 */
const MAX_BUFFERED_BYTES = 256 * 1024;
/** Bytes between two encodings are not counted by any size limit: more layers are an attack. */
const MAX_ENCODINGS = 2;
/** Informational responses (1xx) before the final one. Servers send at most a few. */
export const MAX_INFORMATIONAL = 20;
/** No encoding, as misconfigured servers also write it. */
const NO_ENCODING = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary']);

/** A response once its headers have arrived. Header values are bytes, as latin1. */
export interface OutboundResponse {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** Decompressed. A buffered body is a Uint8Array. */
  body: ReadableStream<Uint8Array> | Readable | Uint8Array | null;
}

export interface OutboundRequest {
  url: URL;
  method: string;
  headers: Headers;
  body: string | Uint8Array | null;
}

/** The value of a header; several are joined as fetch does. */
export function getHeader({ headers }: Pick<OutboundResponse, 'headers'>, name: string): string | null {
  const values = headers.flatMap(([own, value]) => (own === name ? [value] : []));
  return values.length === 0 ? null : values.join(', ');
}

/**
 * Sends one request by the dispatcher itself, without redirects: fetch costs three times as much.
 * Sends the same headers and undoes the same encodings as fetch.
 * @throws what undici throws; OutboundDeadline turns it into a message
 */
export function sendRequest(
  question: OutboundRequest,
  agent: Agent,
  deadline: OutboundDeadline,
): Promise<OutboundResponse> {
  const { url, method, body } = question;
  return new Promise((resolve, reject) => {
    const exchange = new Exchange({ method, host: url.host }, resolve, reject);
    deadline.onAbort((reason) => exchange.abort(reason));
    if (deadline.aborted) return reject(deadline.aborted.reason);
    agent.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: method as 'GET',
        headers: toFlatHeaders(question),
        body,
      },
      exchange,
    );
  });
}

/** A flat list, which undici processes fastest. */
function toFlatHeaders({ url, headers, body }: OutboundRequest): string[] {
  const flat: string[] = [];
  const add = (name: string, value: string) => {
    if (!headers.has(name)) flat.push(name, value);
  };
  for (const [name, value] of headers) flat.push(name, value);
  add('accept', '*/*');
  add('accept-language', '*');
  add('sec-fetch-mode', 'cors');
  add('accept-encoding', url.protocol === 'https:' ? 'br, gzip' : 'gzip');
  if (typeof body === 'string') add('content-type', 'text/plain;charset=UTF-8');
  return flat;
}

/** undici's handler of one request. */
class Exchange {
  readonly #method: string;
  readonly #host: string;
  readonly #resolve: (answer: OutboundResponse) => void;
  readonly #reject: (error: unknown) => void;
  #abort: ((error?: Error) => void) | undefined;
  #aborted: { reason: unknown } | undefined;
  /** Set if the response is buffered. */
  #whole: { answer: OutboundResponse; chunks: Buffer[] } | undefined;
  #stream: Readable | undefined;
  readonly #chunks = new ChunkLimit();
  #informational = 0;

  constructor(
    { method, host }: { method: string; host: string },
    resolve: (answer: OutboundResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#method = method;
    this.#host = host;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    try {
      this.#abort?.(reason instanceof Error ? reason : new Error(String(reason)));
    } catch (error) {
      // abort() is called by listeners of signals and streams, where an exception ends the process.
      this.#reject(error);
    }
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    if (this.#aborted) this.abort(this.#aborted.reason);
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void, statusText: string): boolean {
    if (status < 200) {
      this.#informational += 1;
      if (this.#informational > MAX_INFORMATIONAL)
        this.abort(new SkillError(`${this.#host} sent too many informational responses (${status}).`));
      return false;
    }
    const answer: OutboundResponse = { status, statusText, headers: readHeaders(raw), body: null };
    if (this.#method === 'HEAD' || status === 204 || status === 205 || status === 304) {
      this.#whole = { answer, chunks: [] };
      return true;
    }
    const encoding = getHeader(answer, 'content-encoding');
    const length = getHeader(answer, 'content-length');
    if (encoding === null && length !== null && Number(length) <= MAX_BUFFERED_BYTES) {
      answer.body = new Uint8Array();
      this.#whole = { answer, chunks: [] };
      return true;
    }
    const decoders = chooseDecoders(encoding, this.#host);
    const stream = withErrorListener(
      new Readable({
        read: resume,
        destroy: (error, done) => {
          if (!this.#stream?.readableEnded) this.abort(error ?? new Error('No longer wanted'));
          done(error);
        },
      }),
    );
    this.#stream = stream;
    answer.body = inflate(stream, decoders);
    this.#resolve(answer);
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#chunks.isExceededBy(chunk.length)) {
      this.abort(new SkillError(`${this.#host} sent its response in too many small pieces.`));
      return false;
    }
    if (this.#stream) return this.#stream.push(chunk);
    if (this.#whole?.answer.body === null) {
      // A status without a body, such as 205, may be followed by endless bytes.
      this.#resolve(this.#whole.answer);
      this.abort(new Error('Bytes after an answer without a body'));
      return false;
    }
    this.#whole?.chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    this.#stream?.push(null);
    if (!this.#whole) return;
    const { answer, chunks } = this.#whole;
    if (answer.body) answer.body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    this.#resolve(answer);
  }

  onError(error: Error): void {
    this.#stream?.destroy(error);
    this.#reject(error);
  }
}

function readHeaders(raw: Buffer[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] as Buffer).toString('latin1').toLowerCase();
    const value = raw[at + 1] as Buffer | Buffer[];
    for (const each of Array.isArray(value) ? value : [value]) headers.push([name, each.toString('latin1')]);
  }
  return headers;
}

/** As lenient as browsers: servers send slightly invalid data. */
const LENIENT = { flush: zlib.Z_SYNC_FLUSH, finishFlush: zlib.Z_SYNC_FLUSH };
const LENIENT_BR = { flush: zlib.BROTLI_OPERATION_FLUSH, finishFlush: zlib.BROTLI_OPERATION_FLUSH };
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => withErrorListener(createGunzip(LENIENT)),
  'x-gzip': () => withErrorListener(createGunzip(LENIENT)),
  deflate: () => withErrorListener(createInflate(LENIENT)),
  br: () => withErrorListener(createBrotliDecompress(LENIENT_BR)),
};

/** The decompressors of a response, in order. @throws SkillError if an encoding is not supported */
function chooseDecoders(encoding: string | null, host: string): (() => Transform)[] {
  const codings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !NO_ENCODING.has(coding));
  if (codings.length > MAX_ENCODINGS)
    throw new SkillError(`The response of ${host} is compressed more than ${MAX_ENCODINGS} times.`);
  return codings.reverse().map((coding) => {
    const make = Object.hasOwn(DECODERS, coding) ? DECODERS[coding] : undefined;
    if (make) return make;
    throw new SkillError(`The response of ${host} uses an unsupported compression.`);
  });
}

/** An error in one stream ends all of them; the reader of the last one receives it. */
function inflate(stream: Readable, decoders: readonly (() => Transform)[]): Readable {
  if (decoders.length === 0) return stream;
  // Typed as the last of an array: any stream. All decoders are transforms.
  return pipeline([stream, ...decoders.map((make) => make())], () => undefined) as unknown as Readable;
}

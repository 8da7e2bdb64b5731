import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, constants as zlib } from 'node:zlib';
import type { Agent } from 'undici';
import type { OutboundDeadline } from './outbound-body';

/** Answers that say they are no longer are taken whole: a stream for each would cost more than all else of a request. */
const WHOLE_BYTES = 256 * 1024;
/** As fetch has it: more encodings on top of each other are an attack. */
const MAX_ENCODINGS = 5;

/** An answer whose headers are there. Header values are bytes, as latin1. */
export interface Answer {
  status: number;
  statusText: string;
  headers: [string, string][];
  /** Inflated. Bytes where it has come whole. */
  body: ReadableStream<Uint8Array> | Readable | Uint8Array | null;
}

export interface Question {
  url: URL;
  method: string;
  headers: Headers;
  body: string | Uint8Array | null;
}

/** The value of a header, several joined as fetch does. */
export function headerOf({ headers }: Pick<Answer, 'headers'>, name: string): string | null {
  const values = headers.flatMap(([own, value]) => (own === name ? [value] : []));
  return values.length === 0 ? null : values.join(', ');
}

/**
 * One request by the dispatcher itself, without redirects: what fetch does around it costs three times as much. Sends what
 * fetch sends, and undoes encodings as fetch does.
 * @throws what undici throws; the deadline says what that means
 */
export function askPlainly(question: Question, agent: Agent, deadline: OutboundDeadline): Promise<Answer> {
  const { url, method, body } = question;
  return new Promise((resolve, reject) => {
    const exchange = new Exchange(method, resolve, reject);
    deadline.signal.addEventListener('abort', () => exchange.abort(deadline.signal.reason), { once: true });
    if (deadline.signal.aborted) return reject(deadline.signal.reason);
    agent.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: method as 'GET',
        headers: headersOf(question),
        body,
      },
      exchange,
    );
  });
}

/** Flat, as undici takes them fastest. */
function headersOf({ url, headers, body }: Question): string[] {
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

/** What undici tells of one request. */
class Exchange {
  readonly #method: string;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: unknown) => void;
  #abort: ((error?: Error) => void) | undefined;
  #aborted: { reason: unknown } | undefined;
  /** Where the answer is taken whole. */
  #whole: { answer: Answer; chunks: Buffer[] } | undefined;
  #stream: Readable | undefined;

  constructor(method: string, resolve: (answer: Answer) => void, reject: (error: unknown) => void) {
    this.#method = method;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  abort(reason: unknown): void {
    this.#aborted ??= { reason };
    this.#abort?.(reason instanceof Error ? reason : new Error(String(reason)));
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#abort = abort;
    if (this.#aborted) this.abort(this.#aborted.reason);
  }

  onHeaders(status: number, raw: Buffer[], resume: () => void, statusText: string): boolean {
    // 1xx: the answer comes later.
    if (status < 200) return false;
    const answer: Answer = { status, statusText, headers: readHeaders(raw), body: null };
    if (this.#method === 'HEAD' || status === 204 || status === 205 || status === 304) {
      this.#whole = { answer, chunks: [] };
      return true;
    }
    const encoding = headerOf(answer, 'content-encoding');
    const length = headerOf(answer, 'content-length');
    if (encoding === null && length !== null && Number(length) <= WHOLE_BYTES) {
      answer.body = new Uint8Array();
      this.#whole = { answer, chunks: [] };
      return true;
    }
    const stream = new Readable({
      read: resume,
      destroy: (error, done) => {
        if (!this.#stream?.readableEnded) this.abort(error ?? new Error('No longer wanted'));
        done(error);
      },
    });
    this.#stream = stream;
    try {
      answer.body = inflated(stream, encoding);
      this.#resolve(answer);
    } catch (error) {
      this.abort(error);
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#stream) return this.#stream.push(chunk);
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

/** As lenient as browsers: servers send what is slightly wrong. */
const LENIENT = { flush: zlib.Z_SYNC_FLUSH, finishFlush: zlib.Z_SYNC_FLUSH };
const LENIENT_BR = { flush: zlib.BROTLI_OPERATION_FLUSH, finishFlush: zlib.BROTLI_OPERATION_FLUSH };
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip(LENIENT),
  'x-gzip': () => createGunzip(LENIENT),
  deflate: () => createInflate(LENIENT),
  br: () => createBrotliDecompress(LENIENT_BR),
};

/** As fetch: what it does not know is handed over as it came. */
function inflated(stream: Readable, encoding: string | null): Readable {
  if (encoding === null) return stream;
  const codings = encoding.toLowerCase().split(',');
  if (codings.length > MAX_ENCODINGS) throw new Error('Too many encodings');
  const decoders: Transform[] = [];
  for (const coding of codings.reverse()) {
    const make = Object.hasOwn(DECODERS, coding.trim()) ? DECODERS[coding.trim()] : undefined;
    if (!make) return stream;
    decoders.push(make());
  }
  // What fails in one of them ends all of them; the last is where it is told.
  return pipeline([stream, ...decoders], () => undefined) as unknown as Readable;
}

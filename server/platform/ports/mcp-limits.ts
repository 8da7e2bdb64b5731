import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage, MessageExtraInfo, Transport } from '@modelcontextprotocol/client';
import { SkillError } from '../../core/errors/skill-error';
import { isTooDeep, MAX_OUTPUT_DEPTH } from '../../kit/output-size.mjs';
import { MAX_RESPONSE_NAMES, MAX_RESPONSE_VALUES, RESPONSE_LIMITS } from '../../kit/parse-json';
import { InexactNumberReplacer } from '../../kit/replace-inexact-numbers.mjs';
import { type JsonScan, JsonScanner } from '../../kit/scan-json';
import { wrapUnknownBlocks } from './mcp-result';

/** Per call; a server that handles several calls at once may send as much for each. */
const MAX_MESSAGES = 5_000;
const MAX_BYTES = 32 * 1024 * 1024;
/** Per message: an output with a 6 MiB file in base64. Parsing more would block the event loop. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
/** Lines of an event stream: each costs the parser time, even an empty one. */
const MAX_LINES = 100_000;
/** Our replies to a server's requests that it has not read yet. */
const MAX_REPLIES = 8;
/** HTTP requests per connection: our replies, and streams that the server ends and we reopen. */
const MAX_REQUESTS = 1_000;
/** Only the beginning of a refusal is shown. */
const MAX_REFUSAL_BYTES = 64 * 1024;
/** How much is parsed in one turn of the event loop. */
const PIECE_BYTES = 4 * 1024;
const [LINE_FEED, CARRIAGE_RETURN] = [10, 13];

/**
 * Limits what an MCP server sends, and the work that causes. A server that exceeds a limit loses
 * its connection: only the calls on that connection fail.
 */
export class McpLimits {
  readonly #refuse: (reason: SkillError) => void;
  #reason: SkillError | undefined;
  #calls = 0;
  #messages = 0;
  #bytes = 0;
  #lines = 0;
  #requests = 0;
  #replies = 0;

  /** @param refuse closes the connection; its calls fail with the reason */
  constructor(refuse: (reason: SkillError) => void) {
    this.#refuse = refuse;
  }

  /** Whether the connection was refused; further messages are dropped. */
  get isClosed(): boolean {
    return this.#reason !== undefined;
  }

  /** Gives a call its own allowance: messages before and after it do not count. */
  async duringCall<T>(work: () => Promise<T>): Promise<T> {
    this.#calls += 1;
    this.#resetCounts();
    try {
      return await work();
    } finally {
      this.#calls -= 1;
      this.#resetCounts();
    }
  }

  countMessage(): void {
    this.#messages += 1;
    if (this.#messages > MAX_MESSAGES * this.#share)
      this.end(`The MCP server sent more than ${MAX_MESSAGES} messages for one call.`);
  }

  countBytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > MAX_BYTES * this.#share)
      this.end(`The MCP server sent more than ${MAX_BYTES / 1024 / 1024} MiB for one call.`);
  }

  countLines(count: number): void {
    this.#lines += count;
    if (this.#lines > MAX_LINES) this.end(`The MCP server sent more than ${MAX_LINES} lines for one call.`);
  }

  countRequest(): void {
    this.#requests += 1;
    if (this.#requests > MAX_REQUESTS)
      this.end(`The MCP server caused more than ${MAX_REQUESTS} requests within one call.`);
  }

  /**
   * @param bytes of the message so far
   * @param scan of its JSON, or of all events of a stream
   */
  checkMessage(bytes: number, { values, names }: Pick<JsonScan, 'values' | 'names'>): void {
    if (bytes > MAX_MESSAGE_BYTES)
      this.end(`The MCP server sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB.`);
    if (values > MAX_RESPONSE_VALUES || names > MAX_RESPONSE_NAMES)
      this.end(`The MCP server sent JSON of more than ${RESPONSE_LIMITS}.`);
  }

  /** Sends our reply to a request of the server, unless it leaves too many of them unread. */
  async reply(send: () => Promise<void>): Promise<void> {
    if (this.#replies >= MAX_REPLIES)
      this.end('The MCP server sent requests faster than it reads the responses.');
    this.#replies += 1;
    try {
      await send();
    } finally {
      this.#replies -= 1;
    }
  }

  /** Ends the connection. @throws SkillError with the first reason */
  end(message: string): never {
    if (!this.#reason) {
      this.#reason = new SkillError(message);
      this.#refuse(this.#reason);
    }
    throw this.#reason;
  }

  get #share(): number {
    return Math.max(1, this.#calls);
  }

  #resetCounts(): void {
    this.#messages = 0;
    this.#bytes = 0;
  }
}

/**
 * Applies the limits to a transport, before the SDK sees a message and before it replies.
 * @param onMessage called for each message within the limits, before the SDK
 */
export function limitTransport(
  transport: Transport,
  limits: McpLimits,
  onMessage?: (message: JSONRPCMessage) => void,
): void {
  type Receive = (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  let receive: Receive | undefined;
  const pass = (next: Receive): Receive => {
    return (message, extra) => {
      if (limits.isClosed) return;
      try {
        limits.countMessage();
        // The SDK and our own code recurse into a message.
        if (isTooDeep(message))
          limits.end(`The MCP server sent JSON of more than ${MAX_OUTPUT_DEPTH} levels.`);
      } catch {
        return;
      }
      onMessage?.(message);
      next(wrapUnknownBlocks(message), extra);
    };
  };
  Object.defineProperty(transport, 'onmessage', {
    get: () => receive,
    set(next: Receive | undefined) {
      receive = next && pass(next);
    },
  });
  const send = transport.send.bind(transport);
  transport.send = (message, options) =>
    'method' in message ? send(message, options) : limits.reply(() => send(message, options));
}

/** Wraps an HTTP response of a server; its body fails with an error if it exceeds the limits. */
export function limitResponse(response: Response, limits: McpLimits): Response {
  if (!response.body) return response;
  const { status, statusText, headers } = response;
  const pieces = response.ok ? limitBody(response, limits) : cutBody(response.body);
  const limited = new Response(toStream(pieces), { status, statusText, headers });
  Object.defineProperty(limited, 'url', { value: response.url });
  return limited;
}

function toStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        // A pending read ends when its request ends.
        pieces.return(undefined).catch(() => undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Yields small pieces with event loop turns in between, however large the server's chunks are.
 * Numbers that a double cannot hold become text.
 */
async function* limitBody({ body, headers }: Response, limits: McpLimits): AsyncGenerator<Uint8Array> {
  const isStream = headers.get('content-type')?.includes('text/event-stream') ?? false;
  const scanner = new JsonScanner(MAX_RESPONSE_NAMES);
  const events = new EventCounter();
  const numbers = new InexactNumberReplacer(undefined, { isEventStream: isStream });
  let bytes = 0;
  for await (const chunk of readChunks(body)) {
    limits.countBytes(chunk.byteLength);
    for (let at = 0; at < chunk.byteLength; at += PIECE_BYTES) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      scanner.push(piece);
      if (isStream) limits.countLines(events.push(piece));
      bytes += piece.byteLength;
      limits.checkMessage(isStream ? events.longest : bytes, scanner);
      yield numbers.push(piece);
      await nextTurn();
    }
  }
  yield numbers.end();
}

/**
 * Counts the lines of an event stream and the bytes of its longest event; an empty line ends one.
 */
class EventCounter {
  longest = 0;
  #bytes = 0;
  #last = 0;

  /** Returns how many lines ended in this piece. */
  push(piece: Uint8Array): number {
    let lines = 0;
    for (const byte of piece) {
      const isBreak = byte === CARRIAGE_RETURN || byte === LINE_FEED;
      const isSecondOfPair = byte === LINE_FEED && this.#last === CARRIAGE_RETURN;
      const isEmptyLine = isBreak && (this.#last === LINE_FEED || this.#last === CARRIAGE_RETURN);
      this.#bytes = isEmptyLine && !isSecondOfPair ? 0 : this.#bytes + 1;
      if (this.#bytes > this.longest) this.longest = this.#bytes;
      if (isBreak && !isSecondOfPair) lines += 1;
      this.#last = byte;
    }
    return lines;
  }
}

/** Node iterates a web stream; the types of the browser do not know it. */
const readChunks = (body: ReadableStream<Uint8Array> | null) => body as unknown as AsyncIterable<Uint8Array>;

async function* cutBody(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = MAX_REFUSAL_BYTES;
  for await (const chunk of readChunks(body)) {
    yield chunk.subarray(0, left);
    left -= chunk.byteLength;
    if (left <= 0) return;
  }
}

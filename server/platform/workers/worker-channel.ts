import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { guarded } from '../../kit/guarded';
import {
  MAX_OUTPUT_BYTES,
  MAX_OUTPUT_DEPTH,
  MAX_OUTPUT_NAMES,
  MAX_OUTPUT_VALUES,
} from '../../kit/output-size.mjs';
import { scanJson } from '../../kit/scan-json';
import { yieldToEventLoop } from '../../kit/yield-to-event-loop';
import { createFrameReader, frameHeader } from './worker-frames.mjs';
import { MAX_LINE_CHARS, MAX_LINES } from './worker-reports.mjs';
import { WRAPPING_DEPTH } from './worker-result.mjs';

// A worker runs untrusted input, perhaps in native libraries, so its messages must not affect other
// calls. They are JSON in frames that we parse, because node's IPC parses outside of any `try`.

/** The result as JSON, and its envelope. */
const MAX_FRAME_BYTES = MAX_OUTPUT_BYTES + 16 * 1024;
/** The limit of all other frames: a log line with every character escaped. */
const MAX_REPORT_BYTES = 6 * MAX_LINE_CHARS + 100;
/** Larger frames are handled in separate turns: those of ten workers may arrive at once. */
const LARGE_FRAME_BYTES = 8 * 1024;
/** A result inside its message and ending. */
const MAX_FRAME_DEPTH = MAX_OUTPUT_DEPTH + 1 + WRAPPING_DEPTH + 2;
/** Each value of an output adds at most one container and one field. */
const MAX_FRAME_PARTS = 2 * MAX_OUTPUT_VALUES + 100;
const MAX_FRAME_NAMES = MAX_OUTPUT_NAMES + 100;
/** Progress and sleeps of a 15-minute task ten times a second, doubled. */
const MAX_REPORTS = 20_000;
/** Text sent to a worker: a request body is at most 1 MiB, and files are sent as bytes. */
const MAX_PAYLOAD_CHARS = 32 * 1024 * 1024;

/** The reason when the worker closed the channel, usually because it ended. */
export const CLOSED = 'closed';

export interface Task {
  readonly file: string;
  readonly name: string;
  /** Sent as JSON; its own field `bytes` is sent as is. */
  readonly payload: unknown;
  /** Whether the caller wants log lines and progress. */
  readonly reports: boolean;
}

/** Sent to a worker: a task, or modules that it will probably need. */
export type ToWorker =
  | { task: Task & { readonly id: string; readonly hasBytes: boolean } }
  | { preload: string[] };

/** How a task ended. `stray` is an error that nothing awaited, perhaps of an earlier task. */
export type Ending =
  | { kind: 'value'; value?: unknown }
  | { kind: 'failure' | 'stray'; message: string }
  | { kind: 'tooLarge' | 'tooDeep' };

/**
 * Messages of a worker, each with its task's id. `started` comes first, and starts the clock of the
 * task after start and import.
 */
export type FromWorker =
  | { kind: 'ended'; reusable: boolean; ending: Ending }
  | { kind: 'log'; message: string }
  | { kind: 'progress'; fraction: number }
  | { kind: 'asleep' | 'awake' | 'started' | 'ready' };

/** The gateway's end of the pipe to one worker. It never throws because of the worker. */
export class WorkerChannel {
  readonly #stream: Duplex;
  readonly #onBroken: (why: string) => void;
  /** Frames that wait for a turn of the event loop; until then the stream is paused. */
  readonly #waiting: Buffer[] = [];
  #listener: ((message: FromWorker) => void) | undefined;
  /** The running task's id, so that earlier messages cannot answer for it. */
  #taskId: string | undefined;
  #lines = 0;
  #reports = 0;
  #broken = false;

  /** @param onBroken called once if the worker breaks the protocol or closes the pipe */
  constructor(stream: Duplex, onBroken: (why: string) => void) {
    this.#stream = stream;
    this.#onBroken = onBroken;
    const read = createFrameReader(MAX_FRAME_BYTES, (frame) => this.#receive(frame));
    const onData = (chunk: Buffer) => {
      if (this.#broken) return;
      try {
        read(chunk);
      } catch (error) {
        this.#breakBy(error);
      }
    };
    stream.on('data', guarded(onData));
    // A killed worker resets the pipe; that is its end, not a protocol violation.
    const onError = (error: NodeJS.ErrnoException) => this.#break(isReset(error) ? CLOSED : error.message);
    stream.on('error', guarded(onError));
    stream.on(
      'close',
      guarded(() => this.#break(CLOSED)),
    );
  }

  /** Sets the receiver of messages. A message without a receiver breaks the protocol. */
  listen(listener: ((message: FromWorker) => void) | undefined): void {
    this.#listener = listener;
    this.#lines = 0;
    this.#reports = 0;
  }

  /** @throws if the payload is not JSON, too deep or too large; not if the worker has ended */
  sendTask(task: Task): void {
    const { bytes, rest } = separateBytes(task.payload);
    this.#taskId = randomUUID();
    this.#send({ task: { ...task, id: this.#taskId, payload: rest, hasBytes: bytes !== undefined } });
    if (bytes === undefined) return;
    this.#write(frameHeader(bytes.byteLength));
    this.#write(bytes);
  }

  sendPreload(modules: readonly string[]): void {
    this.#send({ preload: [...modules] });
  }

  /** Stops reading; the listener is not called again. */
  close(): void {
    this.#broken = true;
    this.#listener = undefined;
    this.#stream.destroy();
  }

  #send(message: ToWorker): void {
    const text = JSON.stringify(message);
    if (text.length > MAX_PAYLOAD_CHARS) throw new Error(`A task of ${text.length} characters for a worker`);
    const bytes = Buffer.from(text);
    this.#write(frameHeader(bytes.length));
    this.#write(bytes);
  }

  #write(bytes: Uint8Array): void {
    if (this.#stream.writable) this.#stream.write(bytes);
  }

  #receive(frame: Buffer): void {
    if (frame.length < LARGE_FRAME_BYTES && this.#waiting.length === 0) {
      this.#deliver(this.#parse(frame));
      return;
    }
    this.#waiting.push(frame);
    if (this.#waiting.length === 1) void this.#handleInTurns();
  }

  async #handleInTurns(): Promise<void> {
    this.#stream.pause();
    try {
      for (let [frame] = this.#waiting; frame; [frame] = this.#waiting) {
        await yieldToEventLoop();
        if (this.#broken) return;
        const message = this.#parse(frame);
        // The receiver copies and checks a result, which takes longer than parsing it.
        await yieldToEventLoop();
        if (this.#broken) return;
        this.#waiting.shift();
        this.#deliver(message);
      }
      this.#stream.resume();
    } catch (error) {
      this.#breakBy(error);
    }
  }

  /** @throws if it is not a valid message of the running task */
  #parse(frame: Buffer): FromWorker {
    const { depth, parts, names } = scanJson(frame, MAX_FRAME_NAMES);
    if (depth > MAX_FRAME_DEPTH || parts > MAX_FRAME_PARTS || names > MAX_FRAME_NAMES)
      throw new Error('a message too deep or too large');
    // Cannot throw: the callers catch it
    const fields = toFields(JSON.parse(frame.toString()));
    if (fields.id !== this.#taskId) throw new Error('a message of another task');
    const message = parseMessage(fields);
    if (message.kind !== 'ended') this.#countReport(message, frame.length);
    return message;
  }

  #deliver(message: FromWorker): void {
    if (!this.#listener) throw new Error(`a message "${message.kind}" without a task`);
    this.#listener(message);
  }

  #countReport({ kind }: FromWorker, bytes: number): void {
    this.#reports += 1;
    if (kind === 'log') this.#lines += 1;
    if (bytes > MAX_REPORT_BYTES || this.#lines > MAX_LINES || this.#reports > MAX_REPORTS)
      throw new Error('more reports than a worker may send');
  }

  /** JSON.parse quotes the text in its message, which is a caller's. */
  #breakBy(error: unknown): void {
    this.#break(error instanceof Error && !(error instanceof SyntaxError) ? error.message : 'not JSON');
  }

  #break(why: string): void {
    if (this.#broken) return;
    this.close();
    this.#onBroken(why);
  }
}

/** @throws if it is not a valid message of a worker */
function parseMessage({ kind, message, fraction, reusable, ending }: Record<string, unknown>): FromWorker {
  if (kind === 'ended') return { kind, reusable: reusable === true, ending: parseEnding(ending) };
  if (kind === 'log' && typeof message === 'string')
    return { kind, message: message.slice(0, MAX_LINE_CHARS) };
  if (kind === 'progress' && typeof fraction === 'number' && fraction >= 0 && fraction <= 1)
    return { kind, fraction };
  if (kind === 'asleep' || kind === 'awake' || kind === 'started' || kind === 'ready') return { kind };
  throw new Error('an unknown message');
}

function parseEnding(value: unknown): Ending {
  const { kind, message, value: result } = toFields(value);
  if (kind === 'value') return { kind, value: result };
  if (kind === 'tooLarge' || kind === 'tooDeep') return { kind };
  if ((kind === 'failure' || kind === 'stray') && typeof message === 'string') return { kind, message };
  throw new Error('an unknown ending');
}

function toFields(value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) throw new Error('no object');
  return value as Record<string, unknown>;
}

/** Bytes of a file or page are sent raw: base64 would block the gateway for 40 ms per 10 MiB. */
function separateBytes(payload: unknown): { bytes?: Uint8Array; rest: unknown } {
  if (typeof payload !== 'object' || payload === null || !('bytes' in payload)) return { rest: payload };
  const { bytes, ...rest } = payload;
  return bytes instanceof Uint8Array ? { bytes, rest } : { rest: payload };
}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE';
}

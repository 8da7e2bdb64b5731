import { write as fsWrite, writeSync } from 'node:fs';

/** How many bytes may wait for a slow reader; lines beyond that are dropped and counted. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** A write that takes longer is stuck: the reader of the log has stopped, and is not waited for. */
const STUCK_MS = 200;
/** At exit, the wait for a write in another thread, which cannot report whether it is done. */
const ON_ITS_WAY_MS = 150;
const STANDARD_ERROR = 2;
const RETRY_MS = 50;
const RETRY_LATER_MS = 1_000;
/** Errors of a reader that has gone for good; a full disk or a full pipe may recover. */
const CLOSED_ERRORS = new Set(['EPIPE', 'EBADF', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

/** Writes some or all of the bytes; `fs.write` on standard error except in tests. */
export type WriteBytes = (
  bytes: Buffer,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

interface LineSinkOptions {
  fd?: number;
  write?: WriteBytes;
  /** Builds the line that reports dropped lines, once the log accepts lines again. */
  formatDropped?: (count: number) => string;
}

/**
 * Writes log lines to a file descriptor in order, without ever waiting. An unread pipe, a full disk
 * or a closed reader costs lines, never a response and never the process (threats E16).
 */
export class LineSink {
  readonly #fd: number;
  readonly #write: WriteBytes;
  readonly #formatDropped: (count: number) => string;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #current: Buffer | null = null;
  #since = 0;
  #gone = false;
  #dropped = 0;
  #unreportedDrops = 0;
  #whenEmpty: (() => void)[] = [];

  constructor({ fd = 2, write, formatDropped = () => '' }: LineSinkOptions = {}) {
    this.#fd = fd;
    this.#write = write ?? ((bytes, done) => fsWrite(fd, bytes, 0, bytes.byteLength, null, done));
    this.#formatDropped = formatDropped;
  }

  /** How many lines were dropped. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Accepts a line, which includes its line break. */
  write(line: string): void {
    if (this.#gone || this.#waitingBytes > MAX_WAITING_BYTES) {
      this.#dropped++;
      this.#unreportedDrops++;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#current === null) this.#next();
  }

  /** Resolves when everything is written, or after this time. */
  async flush(boundMs: number): Promise<void> {
    if (this.#current === null) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((done) => {
      this.#whenEmpty.push(done);
      timer = setTimeout(done, boundMs);
    });
    clearTimeout(timer);
  }

  /**
   * Writes the waiting lines synchronously at exit, unless the log is stuck, which would block it.
   */
  flushNow(): void {
    if (this.#gone || (this.#current !== null && performance.now() - this.#since > STUCK_MS)) return;
    if (this.#current !== null) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ON_ITS_WAY_MS);
    const rest = this.#take();
    turnBlockingOff(this.#fd);
    try {
      if (rest.byteLength > 0) writeSync(this.#fd, rest);
    } catch {
      // There is nowhere left to report it.
    }
  }

  #take(): Buffer {
    const lines = this.#waiting.splice(0);
    this.#waitingBytes = 0;
    if (this.#unreportedDrops > 0 && lines.length > 0) {
      lines.push(this.#formatDropped(this.#unreportedDrops));
      this.#unreportedDrops = 0;
    }
    return Buffer.from(lines.join(''));
  }

  #next(): void {
    if (this.#waiting.length === 0) {
      this.#current = null;
      for (const notify of this.#whenEmpty.splice(0)) notify();
      return;
    }
    this.#send(this.#take());
  }

  #send(bytes: Buffer): void {
    this.#current = bytes;
    this.#since = performance.now();
    turnBlockingOff(this.#fd);
    this.#write(bytes, (error, written) => {
      if (error && CLOSED_ERRORS.has(error.code ?? '')) return this.#end();
      const rest = bytes.subarray(error ? 0 : written);
      if (rest.byteLength === 0) return this.#next();
      if (!error) return this.#send(rest);
      // Unreferenced, so that a retry alone does not keep the process alive.
      // Cannot throw: it only writes, and a write reports its failure to its callback
      setTimeout(() => this.#send(rest), error.code === 'EAGAIN' ? RETRY_MS : RETRY_LATER_MS).unref();
    });
  }

  #end(): void {
    this.#gone = true;
    this.#dropped += this.#waiting.length;
    this.#waiting = [];
    this.#current = null;
    for (const notify of this.#whenEmpty.splice(0)) notify();
  }
}

/**
 * Every process that holds a pipe shares its blocking mode, and starting a program with the pipe
 * turns blocking on; a blocked write would keep this process from exiting.
 */
function turnBlockingOff(fd: number): void {
  if (fd === STANDARD_ERROR && !process.stderr.isTTY) getHandle(process.stderr)?.setBlocking?.(false);
}

/** Node has no public API for a descriptor's mode. A file has no handle and needs none. */
function getHandle(stream: object): { setBlocking?(blocking: boolean): void } | undefined {
  return '_handle' in stream && stream._handle ? stream._handle : undefined;
}

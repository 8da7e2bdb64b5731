import { write as fsWrite, writeSync } from 'node:fs';

/** What may wait for a log that is not taken; past it lines are dropped, and counted. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/**
 * A write that takes longer is stuck: whoever reads the log has stopped, and nobody waits for them.
 */
const STUCK_MS = 200;
/**
 * For a write that another thread has been given, where the process exits: it cannot be asked
 * whether it is done.
 */
const ON_ITS_WAY_MS = 150;
const STANDARD_ERROR = 2;
const RETRY_MS = 50;
const RETRY_LATER_MS = 1_000;
/** A whole disk and a full pipe pass; a reader that has gone does not come back. */
const GONE = new Set(['EPIPE', 'EBADF', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

/** Writes bytes to the log, or some of them; `fs.write` on standard error, but for tests. */
export type WriteBytes = (
  bytes: Buffer,
  done: (error: NodeJS.ErrnoException | null, written: number) => void,
) => void;

interface LineSinkOptions {
  fd?: number;
  write?: WriteBytes;
  /** Says that so many lines were dropped, once lines are taken again. */
  tellDropped?: (count: number) => string;
}

/**
 * Lines on their way to a file descriptor: written at once and in order, but never waited for. A
 * log that nobody reads, a disk that is full or a reader that has gone costs lines, never an answer
 * and never the process (threats E16).
 */
export class LineSink {
  readonly #fd: number;
  readonly #write: WriteBytes;
  readonly #tellDropped: (count: number) => string;
  #waiting: string[] = [];
  #waitingBytes = 0;
  #current: Buffer | null = null;
  #since = 0;
  #gone = false;
  #dropped = 0;
  #untold = 0;
  #whenEmpty: (() => void)[] = [];

  constructor({ fd = 2, write, tellDropped = () => '' }: LineSinkOptions = {}) {
    this.#fd = fd;
    this.#write = write ?? ((bytes, done) => fsWrite(fd, bytes, 0, bytes.byteLength, null, done));
    this.#tellDropped = tellDropped;
  }

  /** Lines that were never written. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes a line that ends with its line break. */
  write(line: string): void {
    if (this.#gone || this.#waitingBytes > MAX_WAITING_BYTES) {
      this.#dropped++;
      this.#untold++;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    if (this.#current === null) this.#next();
  }

  /** Resolves when all is written, or after this time. */
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
   * Writes what waits, now: for a process that exits. Not where the log is stuck: that would keep
   * it from exiting.
   */
  flushNow(): void {
    if (this.#gone || (this.#current !== null && performance.now() - this.#since > STUCK_MS)) return;
    if (this.#current !== null) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ON_ITS_WAY_MS);
    const rest = this.#take();
    turnBlockingOff(this.#fd);
    try {
      if (rest.byteLength > 0) writeSync(this.#fd, rest);
    } catch {
      // Nobody is left who could be told.
    }
  }

  #take(): Buffer {
    const lines = this.#waiting.splice(0);
    this.#waitingBytes = 0;
    if (this.#untold > 0 && lines.length > 0) {
      lines.push(this.#tellDropped(this.#untold));
      this.#untold = 0;
    }
    return Buffer.from(lines.join(''));
  }

  #next(): void {
    if (this.#waiting.length === 0) {
      this.#current = null;
      for (const tell of this.#whenEmpty.splice(0)) tell();
      return;
    }
    this.#send(this.#take());
  }

  #send(bytes: Buffer): void {
    this.#current = bytes;
    this.#since = performance.now();
    turnBlockingOff(this.#fd);
    this.#write(bytes, (error, written) => {
      if (error && GONE.has(error.code ?? '')) return this.#end();
      const rest = bytes.subarray(error ? 0 : written);
      if (rest.byteLength === 0) return this.#next();
      if (!error) return this.#send(rest);
      // Unreferenced: it does not keep a process alive that has nothing else to do.
      // raises nothing: it only writes, and what a write fails with comes to its callback
      setTimeout(() => this.#send(rest), error.code === 'EAGAIN' ? RETRY_MS : RETRY_LATER_MS).unref();
    });
  }

  #end(): void {
    this.#gone = true;
    this.#dropped += this.#waiting.length;
    this.#waiting = [];
    this.#current = null;
    for (const tell of this.#whenEmpty.splice(0)) tell();
  }
}

/**
 * A pipe's blocking mode belongs to every process that holds it: any of them that starts a program
 * with it turns blocking on, and a blocked write would keep this process from exiting.
 */
function turnBlockingOff(fd: number): void {
  if (fd === STANDARD_ERROR && !process.stderr.isTTY) getHandle(process.stderr)?.setBlocking?.(false);
}

/** Node has no public call for a descriptor's mode; a file has no handle, and needs none. */
function getHandle(stream: object): { setBlocking?(blocking: boolean): void } | undefined {
  return '_handle' in stream && stream._handle ? stream._handle : undefined;
}

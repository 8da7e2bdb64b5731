import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { withErrorListener } from '../../kit/error-listener';
import { BackupError } from './backup-error';

/** The frames of a backup: a mark, a length in four bytes, the bytes; all in one gzip stream. */
const MARKS = { json: 'J'.charCodeAt(0), data: 'D'.charCodeAt(0) };
const HEAD_BYTES = 5;
const CHUNK_BYTES = 256 * 1024;
const MAX_FRAME_BYTES = 64 * 1024 * 1024;
const GZIP_LEVEL = 6;
const PRIVATE_MODE = 0o600;

/** One frame as read: metadata, or bytes that belong to the metadata before it. */
export type Frame = { json: Record<string, unknown> } | { data: Buffer };

/** Writes the frames of one backup, with a bounded buffer. */
export class BackupWriter {
  // Cannot throw: the constructor puts it into a pipeline
  readonly #gzip = createGzip({ level: GZIP_LEVEL });
  readonly #hash = createHash('sha256');
  readonly #path: string;
  readonly #written: Promise<void>;
  #held: Buffer[] = [];
  #heldBytes = 0;

  /**
   * @param path of a file that must not exist yet; only its owner may read it
   * @param open opens it; tests pass slow and failing streams
   */
  constructor(path: string, open: (path: string) => Writable = openPrivateFile) {
    this.#path = path;
    this.#written = pipeline(this.#gzip, open(path));
    // Reported by the next write, or by `end`.
    this.#written.catch(() => undefined);
  }

  async json(value: Record<string, unknown>): Promise<void> {
    await this.#flush();
    await this.#frame(MARKS.json, Buffer.from(JSON.stringify(value)));
  }

  /** Writes bytes that belong to the last metadata. Small ones are combined into larger frames. */
  async data(bytes: Buffer): Promise<void> {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes >= CHUNK_BYTES) await this.#flush();
  }

  /** Ends the file with the hash of its content, and syncs it to disk. */
  async end(): Promise<void> {
    await this.#flush();
    await this.json({ end: this.#hash.copy().digest('hex') });
    this.#gzip.end();
    await this.#written;
    const file = await open(this.#path, 'r');
    await file.sync();
    await file.close();
  }

  /** Closes the file in its current state. */
  async abandon(): Promise<void> {
    this.#gzip.destroy();
    await this.#written.catch(() => undefined);
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
      await this.#frame(MARKS.data, bytes.subarray(at, at + CHUNK_BYTES));
  }

  async #frame(mark: number, bytes: Buffer): Promise<void> {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUInt8(mark, 0);
    head.writeUInt32BE(bytes.length, 1);
    const frame = Buffer.concat([head, bytes]);
    this.#hash.update(frame);
    // A failed stream never drains, but its failure ends the wait.
    if (!this.#gzip.write(frame)) await Promise.race([once(this.#gzip, 'drain'), this.#written]);
  }
}

function openPrivateFile(path: string): Writable {
  return withErrorListener(createWriteStream(path, { flags: 'wx', mode: PRIVATE_MODE }));
}

/**
 * Reads the frames of a backup, without the final one.
 * @throws BackupError if it is not a backup, is incomplete, or was changed
 */
export async function* readBackup(path: string): AsyncGenerator<Frame> {
  const hash = createHash('sha256');
  let ended = false;
  try {
    for await (const { mark, bytes, head } of readFrames(path)) {
      if (ended) throw new BackupError('There is data after its end.');
      if (mark === MARKS.data) {
        hash.update(head).update(bytes);
        yield { data: bytes };
        continue;
      }
      const json = JSON.parse(bytes.toString('utf8'));
      if (typeof json.end !== 'string') {
        hash.update(head).update(bytes);
        yield { json };
        continue;
      }
      if (json.end !== hash.digest('hex')) throw new BackupError('Its content was changed.');
      ended = true;
    }
    if (!ended) throw new BackupError('It is incomplete: its end is missing.');
  } catch (cause) {
    throw toReadError(path, cause);
  }
}

async function* readFrames(path: string): AsyncGenerator<{ mark: number; bytes: Buffer; head: Buffer }> {
  const source = createReadStream(path);
  const gunzip = createGunzip();
  const fed = pipeline(source, gunzip);
  fed.catch(() => undefined);
  let rest = Buffer.alloc(0);
  for await (const chunk of gunzip) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (
      let length = frameLength(rest);
      length !== null && rest.length >= length;
      length = frameLength(rest)
    ) {
      const head = rest.subarray(0, HEAD_BYTES);
      yield { mark: head.readUInt8(0), bytes: rest.subarray(HEAD_BYTES, length), head };
      rest = rest.subarray(length);
    }
  }
  await fed;
  if (rest.length > 0) throw new BackupError('It is cut off.');
}

/** The length of the first frame; null if its head is incomplete. */
function frameLength(bytes: Buffer): number | null {
  if (bytes.length < HEAD_BYTES) return null;
  const known = Object.values(MARKS).includes(bytes.readUInt8(0));
  const length = bytes.readUInt32BE(1);
  if (!known || length > MAX_FRAME_BYTES) throw new BackupError('It is not a backup of this gateway.');
  return HEAD_BYTES + length;
}

function toReadError(path: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const said =
    cause instanceof BackupError
      ? cause.message
      : code.startsWith('Z_') || cause instanceof SyntaxError
        ? 'It is damaged or incomplete.'
        : code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR'
          ? `It cannot be opened (${code}).`
          : null;
  return said === null ? cause : new BackupError(`The backup ${path} cannot be used. ${said}`, { cause });
}

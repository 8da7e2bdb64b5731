import { Socket } from 'node:net';

/** What PostgreSQL says whenever it waits for the next statement: the last six bytes of what it sent. */
const READY = { length: 6, type: 0x5a, size: 5 };

/** Where the driver tells its socket to go. */
export interface DatabaseAddress {
  host: string[];
  port: number[];
  /** Of a Unix socket, in place of host and port. */
  path?: string | null;
  ssl: unknown;
}

/**
 * The line of one connection. The driver loses statements in two moments, so this keeps it out of both: between the
 * `error` and the `close` of a line that breaks (here there is only `close`), and where a line ends in good order before
 * it was ready (here that is an error: otherwise the driver connects again and again and tells nobody).
 */
export class DatabaseSocket extends Socket {
  /** What had been read when the watch last looked, and when that last changed. */
  seen = { bytes: 0, at: performance.now() };
  #ready = false;

  /** @param encrypted then nothing of what comes can be read here, and breaks are told as Node tells them */
  constructor(encrypted: boolean) {
    super();
    if (encrypted) return;
    const look = (chunk: Buffer) => {
      const at = chunk.length - READY.length;
      if (at < 0 || chunk[at] !== READY.type || chunk.readUInt32BE(at + 1) !== READY.size) return;
      this.#ready = true;
      this.off('data', look);
    };
    this.on('data', look);
  }

  /** For how long nothing has come, as far as anyone has looked. */
  silentSince(now: number): number {
    if (this.bytesRead !== this.seen.bytes) this.seen = { bytes: this.bytesRead, at: now };
    return this.seen.at;
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    super._destroy(this.#ready ? null : (error ?? brokenOff()), done);
  }
}

function brokenOff(): Error {
  return Object.assign(new Error('The database closed the connection before it was ready'), {
    code: 'ECONNRESET',
  });
}

/**
 * Makes the sockets of one pool and knows those that are open.
 * @returns the driver's `socket` option, and the open ones: those of the pool, and that of LISTEN
 */
export function createSocketFactory() {
  const open = { pool: new Set<DatabaseSocket>(), listening: new Set<DatabaseSocket>() };
  let next = 0;
  return {
    open,
    create(address: DatabaseAddress & { onnotify?: unknown }): DatabaseSocket {
      const socket = new DatabaseSocket(Boolean(address.ssl));
      const set = address.onnotify ? open.listening : open.pool;
      set.add(socket);
      // Not a listener: the driver removes them all.
      const destroy = socket._destroy.bind(socket);
      socket._destroy = (error, done) => {
        set.delete(socket);
        destroy(error, done);
      };
      const index = next++ % address.port.length;
      if (address.path) socket.connect(address.path);
      else socket.connect(Number(address.port[index]), String(address.host[index]));
      return Object.assign(socket, { host: address.host[index], port: address.port[index] });
    },
  };
}

import { Socket } from 'node:net';

/** PostgreSQL's ReadyForQuery message: the last six bytes it sends before the next statement. */
const READY = { length: 6, type: 0x5a, size: 5 };

/** The address that the driver passes to its socket. */
export interface DatabaseAddress {
  host: string[];
  port: number[];
  /** Path of a Unix socket, instead of host and port. */
  path?: string | null;
  ssl: unknown;
}

/**
 * The socket of one connection. Works around two cases in which the driver loses statements:
 * between `error` and `close` of a broken connection (here it gets only `close`), and if a
 * connection closes cleanly before it is ready (here an error; otherwise the driver reconnects
 * forever).
 */
export class DatabaseSocket extends Socket {
  /** Bytes read at the last check, and when the number last changed. */
  seen = { bytes: 0, at: performance.now() };
  #ready = false;

  /** @param encrypted if so, ReadyForQuery cannot be detected and errors are passed on unchanged */
  constructor(encrypted: boolean) {
    super();
    if (encrypted) return;
    const readTag = (chunk: Buffer) => {
      const at = chunk.length - READY.length;
      if (at < 0 || chunk[at] !== READY.type || chunk.readUInt32BE(at + 1) !== READY.size) return;
      this.#ready = true;
      this.off('data', readTag);
    };
    this.on('data', readTag);
  }

  /** When the last data arrived, as far as checks have observed. */
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
 * Creates the sockets of one pool and tracks the open ones.
 * @returns the driver's `socket` option, and the open sockets: of the pool, and of LISTEN
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
      // Overridden, because the driver removes all listeners.
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

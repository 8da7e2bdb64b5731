import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { networkOf } from './client-network';

const MIB = 1024 * 1024;

interface UnreadBounds {
  networkBytes: number;
  totalBytes: number;
  /** A client that takes nothing of a waiting answer for so long is gone. */
  stallMs: number;
}

const BOUNDS: UnreadBounds = {
  networkBytes: 32 * MIB,
  totalBytes: 256 * MIB,
  stallMs: 60_000,
};

/**
 * Next's compressor and renderer hold more of an answer than the socket shows: each counts as this
 * much at least.
 */
const PAGE_BYTES = MIB;

interface Waiting {
  readonly network: string;
  readonly socket: IncomingMessage['socket'];
  bytes: number;
}

/**
 * Bounds what waits in memory for clients that do not read their answers: for one network of
 * clients, and for all. Where a bound is passed, the connection that has read nothing for longest
 * is closed.
 */
export class UnreadAnswers {
  readonly #bounds: UnreadBounds;
  /** Of proxies that we trust to name the client; known once the settings are read. */
  trustedProxyHops = 0;
  /** The longest without progress first: a client that reads leaves, and comes back at the end. */
  readonly #waiting = new Map<ServerResponse, Waiting>();
  readonly #networks = new Map<string, number>();
  #total = 0;

  /** @param bounds in place of the usual ones, for tests */
  constructor(bounds: Partial<UnreadBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds };
  }

  get bytes(): number {
    return this.#total;
  }

  /**
   * Follows an answer of Next, which writes without looking whether anybody reads. Before Next lays
   * its compressor over it.
   */
  watch(req: IncomingMessage, res: ServerResponse): void {
    const check = () => this.check(req, res, PAGE_BYTES);
    const write = res.write;
    res.write = function watchedWrite(this: ServerResponse, ...args: unknown[]) {
      const taken = Reflect.apply(write, this, args) as boolean;
      check();
      return taken;
    };
    const end = res.end;
    res.end = function watchedEnd(this: ServerResponse, ...args: unknown[]) {
      const ended = Reflect.apply(end, this, args) as ServerResponse;
      check();
      return ended;
    };
  }

  /**
   * To be called after something was written.
   * @param leastBytes what it counts as, where the socket shows less
   */
  check(req: IncomingMessage, res: ServerResponse, leastBytes = 0): void {
    const unsent = res.writableLength;
    if (unsent === 0 || res.destroyed) return;
    const bytes = Math.max(unsent, leastBytes);
    const known = this.#waiting.get(res);
    if (known) this.#count(known.network, bytes - known.bytes);
    const waiting = known ?? this.#enter(req, res, bytes);
    waiting.bytes = bytes;
    this.#makeRoom(waiting.network);
  }

  #enter(req: IncomingMessage, res: ServerResponse, bytes: number): Waiting {
    const network = networkOf(req, this.trustedProxyHops);
    const waiting = { network, socket: req.socket, bytes };
    this.#waiting.set(res, waiting);
    this.#count(network, bytes);
    const leave = () => this.#leave(res);
    // Next's compressor keeps the listeners of `drain` for itself.
    for (const event of ['drain', 'finish', 'close']) EventEmitter.prototype.once.call(res, event, leave);
    res.setTimeout(this.#bounds.stallMs, () => {
      if (res.writableLength > 0) req.socket.destroy();
    });
    return waiting;
  }

  #leave(res: ServerResponse): void {
    const waiting = this.#waiting.get(res);
    if (!waiting) return;
    this.#waiting.delete(res);
    this.#count(waiting.network, -waiting.bytes);
  }

  #count(network: string, bytes: number): void {
    const sum = (this.#networks.get(network) ?? 0) + bytes;
    if (sum > 0) this.#networks.set(network, sum);
    else this.#networks.delete(network);
    this.#total += bytes;
  }

  #makeRoom(network: string): void {
    while ((this.#networks.get(network) ?? 0) > this.#bounds.networkBytes) this.#closeOldest(network);
    while (this.#total > this.#bounds.totalBytes) this.#closeOldest(null);
  }

  #closeOldest(network: string | null): void {
    for (const [res, waiting] of this.#waiting) {
      if (network !== null && waiting.network !== network) continue;
      this.#leave(res);
      waiting.socket.destroy();
      return;
    }
  }
}

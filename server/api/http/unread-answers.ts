import { EventEmitter } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { guarded } from '../../kit/guarded';
import { getClientNetwork } from './client-network';

const MIB = 1024 * 1024;

interface UnreadBounds {
  networkBytes: number;
  totalBytes: number;
  /** Closes a connection that reads nothing of its answer for this long. */
  stallMs: number;
  /** A client that made progress within this time is reading: only the total limit applies. */
  graceMs: number;
}

const BOUNDS: UnreadBounds = {
  networkBytes: 32 * MIB,
  totalBytes: 256 * MIB,
  stallMs: 60_000,
  graceMs: 5_000,
};

/**
 * Minimum size counted for a page: Next's compressor and renderer buffer more than the socket
 * shows.
 */
const PAGE_BYTES = MIB;

interface Waiting {
  readonly network: string;
  readonly socket: IncomingMessage['socket'];
  /** Of the first write, or of the first one after the client had read everything. */
  readonly since: number;
  bytes: number;
}

/**
 * Limits the memory held for clients that do not read their answers, per client network and in
 * total. Over a limit, the connection that has read nothing for longest is closed. Answers that are
 * written at once to clients that read are not a reason to close one of them.
 */
export class UnreadAnswers {
  readonly #bounds: UnreadBounds;
  /** Trusted proxies in front of the gateway; set once the settings are read. */
  trustedProxyHops = 0;
  /**
   * In order of the last progress, oldest first: a client that reads is removed and re-added at the
   * end.
   */
  readonly #waiting = new Map<ServerResponse, Waiting>();
  /** Those with listeners: a slow client lets its answer wait many times. */
  readonly #followed = new WeakSet<ServerResponse>();
  readonly #networks = new Map<string, number>();
  #total = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param bounds overrides the defaults in tests */
  constructor(bounds: Partial<UnreadBounds> = {}) {
    this.#bounds = { ...BOUNDS, ...bounds };
  }

  get bytes(): number {
    return this.#total;
  }

  /**
   * Tracks an answer of Next, which ignores backpressure. Call it before Next wraps the response in
   * its compressor.
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
   * Call after each write.
   * @param leastBytes counted if the socket shows less
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
    const network = getClientNetwork(req, this.trustedProxyHops);
    const waiting = { network, socket: req.socket, since: performance.now(), bytes };
    this.#waiting.set(res, waiting);
    this.#count(network, bytes);
    this.#follow(req, res);
    return waiting;
  }

  #follow(req: IncomingMessage, res: ServerResponse): void {
    if (this.#followed.has(res)) return;
    this.#followed.add(res);
    const leave = () => this.#leave(res);
    // Bypasses Next's compressor, which intercepts `drain` listeners.
    for (const event of ['drain', 'finish', 'close']) EventEmitter.prototype.on.call(res, event, leave);
    res.setTimeout(this.#bounds.stallMs, () => {
      if (res.writableLength > 0) req.socket.destroy();
    });
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
    while (this.#isOver(network)) if (!this.#closeOldest(network, this.#bounds.graceMs)) break;
    while (this.#total > this.#bounds.totalBytes) this.#closeOldest(this.#findLargest(), 0);
    if (this.#isOver(network)) this.#makeRoomLater();
  }

  #isOver(network: string): boolean {
    return (this.#networks.get(network) ?? 0) > this.#bounds.networkBytes;
  }

  #makeRoomLater(): void {
    const makeRoom = () => {
      this.#timer = undefined;
      for (const network of [...this.#networks.keys()]) this.#makeRoom(network);
    };
    this.#timer ??= setTimeout(guarded(makeRoom), this.#bounds.graceMs).unref();
  }

  /** Other networks do not pay for the one that holds most. */
  #findLargest(): string {
    let largest = '';
    for (const [network, bytes] of this.#networks)
      if (bytes > (this.#networks.get(largest) ?? 0)) largest = network;
    return largest;
  }

  /** @returns false if none of the network has waited this long */
  #closeOldest(network: string, leastMs: number): boolean {
    for (const [res, waiting] of this.#waiting) {
      if (waiting.network !== network) continue;
      if (performance.now() - waiting.since < leastMs) return false;
      this.#leave(res);
      waiting.socket.destroy();
      return true;
    }
    return false;
  }
}

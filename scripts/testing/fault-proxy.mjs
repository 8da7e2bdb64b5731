// A line between two programs that breaks as it is told: TCP on a free port of loopback, forwarded to a target.
import { connect, createServer } from 'node:net';

/**
 * pass: forwards. hang: accepts, and keeps what comes, both ways. slow: each piece arrives `latencyMs` later, at most
 * `bytesPerSecond` of them. cut: closes each connection after `afterBytes` bytes from the target.
 * @typedef {{ mode: 'pass' } | { mode: 'hang' } | { mode: 'slow', latencyMs?: number, bytesPerSecond?: number }
 *   | { mode: 'cut', afterBytes: number }} Behaviour
 */

/** @typedef {import('node:net').Socket} Socket */

/** A connection through the proxy; the behaviour of the proxy is asked anew for each piece. */
class Line {
  /** Nothing passes any more, whatever the proxy does. */
  dead = false;
  #proxy;
  /** @type {Socket} */ client;
  /** @type {Socket} */ server;
  #fromServer = 0;
  /** @type {(() => void)[]} */
  #kept = [];
  /** What arrives when, in each direction: pieces keep their order. @type {Record<'up' | 'down', { due: number, act: () => void }[]>} */
  #onTheirWay = { up: [], down: [] };

  /**
   * @param {FaultProxy} proxy
   * @param {Socket} client
   * @param {Socket} server
   */
  constructor(proxy, client, server) {
    this.#proxy = proxy;
    this.client = client;
    this.server = server;
    client.on('data', (piece) => this.#pass(piece, server, 'up'));
    server.on('data', (piece) => this.#pass(piece, client, 'down'));
    this.#passEnd(client, server, 'up');
    this.#passEnd(server, client, 'down');
  }

  /** @param {Socket} from @param {Socket} to @param {'up' | 'down'} way */
  #passEnd(from, to, way) {
    from.on('error', () => undefined);
    from.on('end', () => this.#keep(() => to.end(), way));
    from.on('close', () => this.#keep(() => to.destroy(), way));
  }

  get #holds() {
    return this.dead || this.#proxy.behaviour.mode === 'hang';
  }

  /** After what is on its way, or once the proxy lets things through again. @param {() => void} act @param {'up' | 'down'} way */
  #keep(act, way) {
    if (this.#keeps(way)) this.#kept.push(act);
    else this.#after(0, way, act);
  }

  /** What is on its way arrives first, and is then kept as well. @param {'up' | 'down'} way */
  #keeps(way) {
    return (this.#holds || this.#kept.length > 0) && this.#onTheirWay[way].length === 0;
  }

  /** @param {Buffer} piece @param {Socket} to @param {'up' | 'down'} way */
  #pass(piece, to, way) {
    this.#keeps(way) ? this.#kept.push(() => this.#forward(piece, to, way)) : this.#forward(piece, to, way);
  }

  /** @param {Buffer} piece @param {Socket} to @param {'up' | 'down'} way */
  #forward(piece, to, way) {
    const { behaviour } = this.#proxy;
    if (behaviour.mode === 'cut' && way === 'down') {
      const left = behaviour.afterBytes - this.#fromServer;
      this.#fromServer += piece.length;
      if (left > 0) to.write(piece.subarray(0, left));
      if (piece.length >= left) this.close();
      return;
    }
    const latency = behaviour.mode === 'slow' ? (behaviour.latencyMs ?? 0) : 0;
    const rate = behaviour.mode === 'slow' ? behaviour.bytesPerSecond : undefined;
    this.#after(latency + (rate ? (piece.length / rate) * 1000 : 0), way, () => to.write(piece));
  }

  /** @param {number} delayMs @param {'up' | 'down'} way @param {() => void} act */
  #after(delayMs, way, act) {
    const now = performance.now();
    const onTheirWay = this.#onTheirWay[way];
    if (delayMs === 0 && onTheirWay.length === 0) return act();
    const due = Math.max(now + delayMs, onTheirWay.at(-1)?.due ?? 0);
    onTheirWay.push({ due, act });
    if (onTheirWay.length === 1) this.#awaitFirst(way);
  }

  /** One timer for each direction: timers of their own would fire in another order than they were set. @param {'up' | 'down'} way */
  #awaitFirst(way) {
    const onTheirWay = this.#onTheirWay[way];
    const arrive = () => {
      while (onTheirWay[0] && onTheirWay[0].due <= performance.now()) {
        const { act } = onTheirWay[0];
        onTheirWay.shift();
        this.#holds || this.#kept.length > 0 ? this.#kept.push(act) : act();
      }
      this.#awaitFirst(way);
    };
    if (onTheirWay[0]) setTimeout(arrive, onTheirWay[0].due - performance.now());
  }

  /** What was kept goes on, in its order. */
  release() {
    if (this.#holds) return;
    for (const act of this.#kept.splice(0)) act();
  }

  close() {
    this.client.end();
    this.server.destroy();
  }

  reset() {
    if (!this.client.destroyed) this.client.resetAndDestroy();
    if (!this.server.destroyed) this.server.resetAndDestroy();
  }
}

/** Where clients connect instead of to the target; it passes everything until it is told otherwise. */
export class FaultProxy {
  /** @type {Behaviour} */
  behaviour = { mode: 'pass' };
  /** Connections it has taken so far. */
  accepted = 0;
  #target;
  #port = 0;
  /** @type {Set<Line>} */
  #lines = new Set();
  /** @type {import('node:net').Server | undefined} */
  #server;

  /** @param {{ port: number, host?: string }} target */
  constructor(target) {
    this.#target = { host: '127.0.0.1', ...target };
  }

  /** @param {{ port: number, host?: string }} target */
  static async start(target) {
    const proxy = new FaultProxy(target);
    await proxy.#listen();
    return proxy;
  }

  get port() {
    return this.#port;
  }

  /** Connections that are open now. */
  get open() {
    return this.#lines.size;
  }

  /** The same address, by way of the proxy. @param {string} url */
  through(url) {
    const other = new URL(url);
    other.hostname = '127.0.0.1';
    other.port = String(this.#port);
    return other.href;
  }

  /** Where new connections go from now on. @param {{ port: number, host?: string }} target */
  aim(target) {
    this.#target = { host: '127.0.0.1', ...target };
  }

  /** Lets everything through; a port that was closed is open again. */
  async pass() {
    this.#behave({ mode: 'pass' });
    await this.#listen();
  }

  /** Closes the port, and every connection: whoever comes is refused. */
  async refuse() {
    await this.#unlisten();
    this.reset();
  }

  hang() {
    this.#behave({ mode: 'hang' });
  }

  /** @param {{ latencyMs?: number, bytesPerSecond?: number }} how */
  slow(how) {
    this.#behave({ mode: 'slow', ...how });
  }

  /** Each connection is closed once so many bytes have come from the target, those of before not counted. @param {number} afterBytes */
  cutAfter(afterBytes) {
    this.#behave({ mode: 'cut', afterBytes });
  }

  /** Ends every connection with RST; new ones are as before. */
  reset() {
    for (const line of this.#lines) line.reset();
  }

  /** Connections that are open now never pass anything again; new ones are as before. */
  blackhole() {
    for (const line of this.#lines) line.dead = true;
  }

  async stop() {
    this.reset();
    await this.#unlisten();
  }

  /** @param {Behaviour} behaviour */
  #behave(behaviour) {
    this.behaviour = behaviour;
    for (const line of this.#lines) line.release();
  }

  #listen() {
    return new Promise((resolve, reject) => {
      if (this.#server) return resolve(undefined);
      const server = createServer({ allowHalfOpen: true }, (client) => this.#accept(client));
      this.#server = server;
      server.once('error', reject);
      server.listen(this.#port, '127.0.0.1', () => {
        const address = server.address();
        if (typeof address === 'object' && address) this.#port = address.port;
        resolve(undefined);
      });
    });
  }

  /** Stops listening; open connections stay. */
  async #unlisten() {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise((resolve) => server.close(resolve));
    this.reset();
    await closed;
  }

  /** @param {Socket} client */
  #accept(client) {
    this.accepted++;
    client.setNoDelay(true);
    const server = connect({ ...this.#target, noDelay: true, allowHalfOpen: true });
    const line = new Line(this, client, server);
    this.#lines.add(line);
    let ends = 0;
    for (const side of [client, server])
      side.once('close', () => {
        if (++ends === 2) this.#lines.delete(line);
      });
  }
}

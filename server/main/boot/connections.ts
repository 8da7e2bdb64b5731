import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const SWEEP_MS = 50;

/** The connections of a server that is about to stop. */
export class Connections {
  readonly #server: Server;
  readonly #all: ReadonlySet<Socket & { _httpMessage?: ServerResponse | null }>;
  readonly #unused: ReadonlySet<Socket>;
  #closed: Promise<void> | undefined;
  /** Whether responses should end their connection. */
  areHandedOver = false;

  /**
   * @param unused connections without a request: browsers preconnect, and Node does not count them
   *   as idle
   */
  constructor(server: Server, all: ReadonlySet<Socket>, unused: ReadonlySet<Socket>) {
    this.#server = server;
    this.#all = all;
    this.#unused = unused;
  }

  /**
   * Serves the open connections on, up to this time. A connection that is closed while idle may
   * just be receiving a request; one that ends with its response cannot.
   */
  async handOver(boundMs: number): Promise<void> {
    if (!this.#stopAccepting()) return;
    this.areHandedOver = true;
    for (const { _httpMessage: response } of this.#all)
      if (response && !response.headersSent) response.shouldKeepAlive = false;
    for (const end = performance.now() + boundMs; this.#all.size > 0 && performance.now() < end; )
      await sleep(SWEEP_MS);
  }

  /** Closes connections when they are idle, and waits for the others. */
  async drain(): Promise<void> {
    let isClosed = false;
    const closed = this.#stopAccepting();
    if (!closed) return;
    void closed.then(() => {
      isClosed = true;
    });
    // Keep-alive connections count until closed, also those that become idle during the drain.
    while (!isClosed) {
      // Node considers a connection idle once its response is queued, although it may not be sent
      // yet.
      if (![...this.#all].some((socket) => socket.writableLength > 0)) this.#server.closeIdleConnections();
      for (const socket of this.#unused) socket.destroy();
      await sleep(SWEEP_MS);
    }
  }

  /** @returns when all connections have ended; undefined if the server never listened */
  #stopAccepting(): Promise<void> | undefined {
    if (!this.#server.listening) return this.#closed;
    this.#closed ??= new Promise((resolve) => {
      // Not http's own close, which first closes idle connections.
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
    return this.#closed;
  }
}

import type { ServerResponse } from 'node:http';
import { guarded } from '../../kit/guarded';

export interface QueueLimits {
  /** What Next answers at the same time, per client network. */
  readonly places: number;
  readonly waiting: number;
  /** What takes longer waits for the database or its reader, and frees its place. */
  readonly maxMs: number;
}

/** A page may block the event loop for 85 ms. */
export const PAGE_LIMITS: QueueLimits = { places: 2, waiting: 100, maxMs: 1_000 };
/** A route blocks it for 3 ms, and an office has many people behind one address. */
export const ROUTE_LIMITS: QueueLimits = { places: 30, waiting: 2_000, maxMs: 250 };

interface Network {
  rendering: number;
  /** Each takes the place of a completed request. */
  readonly waiting: Set<() => void>;
}

/** Limits what Next answers at the same time per client network, to serve others in between. */
export class RenderQueue {
  readonly #networks = new Map<string, Network>();
  readonly #limits: QueueLimits;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /**
   * Answers a request when its network has a free place; skips it if the client has disconnected.
   * @returns false if too many wait already
   */
  async render(network: string, res: ServerResponse, render: () => Promise<void>): Promise<boolean> {
    const own = this.#networks.get(network) ?? { rendering: 0, waiting: new Set() };
    this.#networks.set(network, own);
    if (own.rendering < this.#limits.places) own.rendering += 1;
    else if (own.waiting.size >= this.#limits.waiting) return false;
    else if (!(await waitForPlace(own, res))) return true;
    let isRendering = true;
    const leave = () => {
      if (!isRendering) return;
      isRendering = false;
      this.#leave(network, own);
    };
    const late = setTimeout(guarded(leave), this.#limits.maxMs).unref();
    try {
      if (!res.closed) await render();
    } finally {
      clearTimeout(late);
      leave();
    }
    return true;
  }

  #leave(network: string, own: Network): void {
    const [next] = own.waiting;
    if (next) next();
    else own.rendering -= 1;
    if (own.rendering === 0) this.#networks.delete(network);
  }
}

/** @returns false if the client disconnected while waiting */
function waitForPlace({ waiting }: Network, res: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const gone = () => {
      waiting.delete(enter);
      resolve(false);
    };
    const enter = () => {
      res.off('close', gone);
      waiting.delete(enter);
      setImmediate(resolve, true);
    };
    waiting.add(enter);
    res.once('close', gone);
  });
}

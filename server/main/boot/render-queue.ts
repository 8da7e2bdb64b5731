import type { ServerResponse } from 'node:http';
import { guarded } from '../../kit/guarded';

/** Concurrent page renderings per client network; each may block the event loop for 85 ms. */
const MAX_RENDERING = 2;
const MAX_WAITING = 100;
/** A longer rendering waits for the database or its reader, and does not block others. */
const MAX_RENDER_MS = 1_000;

interface Network {
  rendering: number;
  /** Each takes the place of a completed page. */
  readonly waiting: Set<() => void>;
}

/** Limits concurrent page renderings per client network, to serve other requests in between. */
export class RenderQueue {
  readonly #networks = new Map<string, Network>();
  readonly #maxRenderMs: number;

  /** @param maxRenderMs for tests */
  constructor(maxRenderMs = MAX_RENDER_MS) {
    this.#maxRenderMs = maxRenderMs;
  }

  /**
   * Renders a page when its network has a free place; skips it if the client has disconnected.
   * @returns false if too many wait already
   */
  async render(network: string, res: ServerResponse, render: () => Promise<void>): Promise<boolean> {
    const own = this.#networks.get(network) ?? { rendering: 0, waiting: new Set() };
    this.#networks.set(network, own);
    if (own.rendering < MAX_RENDERING) own.rendering += 1;
    else if (own.waiting.size >= MAX_WAITING) return false;
    else if (!(await waitForPlace(own, res))) return true;
    let isRendering = true;
    const leave = () => {
      if (!isRendering) return;
      isRendering = false;
      this.#leave(network, own);
    };
    const late = setTimeout(guarded(leave), this.#maxRenderMs).unref();
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

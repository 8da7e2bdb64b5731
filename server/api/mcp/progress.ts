import type { ServerContext } from '@modelcontextprotocol/server';

/** What is told without being further on: progress must grow with each notification. */
const STEP = 1e-6;
/** That a call has ended is told by its result: lines may come after its last share. */
const ALMOST = 0.999;

/**
 * Tells a client how its request is going, where it asked for that with a progressToken. A tool that says its share is
 * told in shares of 1; of any other the lines are counted.
 */
export class Progress {
  readonly #asked: ServerContext;
  #last = -1;

  constructor(asked: ServerContext) {
    this.#asked = asked;
  }

  /** Whether the client wants to be told. */
  static isWanted({ mcpReq }: ServerContext): boolean {
    return mcpReq._meta?.progressToken !== undefined;
  }

  /** @param share 0 to 1, where the tool says it */
  async tell(message: string, share?: number): Promise<void> {
    const progressToken = this.#asked.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    const inShares = share !== undefined && this.#last < 1;
    this.#last = inShares ? Math.max(Math.min(share, ALMOST), this.#last + STEP) : Math.floor(this.#last) + 1;
    const total = inShares ? { total: 1 } : {};
    // A client that has gone is not told; the call knows by itself.
    await this.#asked.mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken, progress: this.#last, ...total, message },
      })
      .catch(() => undefined);
  }
}

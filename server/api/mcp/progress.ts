import type { ServerContext } from '@modelcontextprotocol/server';

/** Increment when there is no new share: progress must grow with each notification. */
const STEP = 1e-6;
/**
 * Maximum reported share: log lines may follow the tool's last share, and the result ends the call.
 */
const ALMOST = 0.999;

/**
 * Sends progress notifications if the client requested them with a progressToken. For a tool that
 * reports its share, progress is out of 1; for others, it counts log lines.
 */
export class Progress {
  readonly #serverContext: ServerContext;
  #last = -1;

  constructor(asked: ServerContext) {
    this.#serverContext = asked;
  }

  /** Whether the client requested progress. */
  static isWanted({ mcpReq }: ServerContext): boolean {
    return mcpReq._meta?.progressToken !== undefined;
  }

  /** @param share 0 to 1, if the tool reports it */
  async report(message: string, share?: number): Promise<void> {
    const progressToken = this.#serverContext.mcpReq._meta?.progressToken;
    if (progressToken === undefined) return;
    const inShares = share !== undefined && this.#last < 1;
    this.#last = inShares ? Math.max(Math.min(share, ALMOST), this.#last + STEP) : Math.floor(this.#last) + 1;
    const total = inShares ? { total: 1 } : {};
    // Ignored if the client has disconnected; the call notices that by itself.
    await this.#serverContext.mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken, progress: this.#last, ...total, message },
      })
      .catch(() => undefined);
  }
}

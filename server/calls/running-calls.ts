import { setMaxListeners } from 'node:events';
import type { Sql } from '@/db/client';
import type { CallFlush } from './flush';
import { closeCalls, extendLeases, findExpiredCalls } from './store';

const HEARTBEAT_MS = 30_000;
const REAP_BATCH = 200;

/**
 * The calls that run in this process: renews their leases, ends those that other processes left behind, and on
 * shutdown waits for its own within a bound.
 */
export class RunningCalls {
  readonly #ids = new Set<string>();
  readonly #abort = new AbortController();
  readonly #sql: Sql;
  readonly #flush: CallFlush;
  readonly #onError: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(sql: Sql, flush: CallFlush, onError: (error: unknown) => void) {
    this.#sql = sql;
    this.#flush = flush;
    this.#onError = onError;
    // Each running call listens to it; many are no leak.
    setMaxListeners(0, this.#abort.signal);
  }

  /** Aborted when the process gives up waiting for its calls. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get size(): number {
    return this.#ids.size;
  }

  add(id: string): void {
    this.#ids.add(id);
  }

  delete(id: string): void {
    this.#ids.delete(id);
  }

  /** Starts the heartbeat and the reaper. */
  start(): void {
    this.#timer = setInterval(() => void this.beat().catch(this.#onError), HEARTBEAT_MS);
    this.#timer.unref();
    void this.reap().catch(this.#onError);
  }

  async beat(): Promise<void> {
    if (this.#ids.size > 0)
      await extendLeases(this.#sql, [...this.#ids], this.#flush.fence, this.#flush.leaseSeconds);
    await this.reap();
  }

  /** Ends calls whose lease has run out: hold released, slot freed, nothing charged. Returns how many. */
  async reap(): Promise<number> {
    const expired = await findExpiredCalls(this.#sql, REAP_BATCH);
    if (expired.length === 0) return 0;
    const results = await closeCalls(
      this.#sql,
      expired.map((call) => ({
        id: call.id,
        keyId: call.keyId,
        success: false,
        markup: 0n,
        raw: 0n,
        byok: false,
        errorCode: 'HANDLER_ERROR',
        latencyMs: call.elapsedMs,
      })),
      null,
    );
    return results.filter((result) => result.state === 'closed').length;
  }

  /** Waits until no call runs, at most this long; then aborts what is left and gives it a moment to be closed. */
  async drain(boundMs: number): Promise<void> {
    clearInterval(this.#timer);
    await this.#untilEmpty(boundMs);
    if (this.#ids.size === 0) return;
    this.#abort.abort(new Error('The gateway is shutting down'));
    await this.#untilEmpty(3000);
  }

  async #untilEmpty(boundMs: number): Promise<void> {
    const end = Date.now() + boundMs;
    while (this.#ids.size > 0 && Date.now() < end) await new Promise((done) => setTimeout(done, 25));
  }
}

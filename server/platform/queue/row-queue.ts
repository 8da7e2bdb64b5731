import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { LOST_STATEMENT_MS } from '@/db/pool-bounds';
import type { Notices, Topic } from '../../core/notices/notices';
import { guarded } from '../../kit/guarded';

/** Limits the size of one result, however many places are free. */
const MAX_TAKEN = 50;

/** One kind of work that waits in rows, with its own concurrency: no kind waits for another. */
export interface RowTask<Row> {
  /** Notified in the transaction that makes a row wait. */
  topic: Topic;
  /** How much of it runs at the same time. */
  concurrency: number;
  /**
   * Takes up to `limit` waiting rows, which no other process gets.
   * @param running the rows with work that has not ended
   */
  take(limit: number, running: Row[]): Promise<Row[]>;
  /**
   * Makes rows wait again that `take` took for this process without an answer. Called at each poll
   * for a while after it failed, and never while it runs.
   */
  giveBack(): Promise<unknown>;
  /** Does one piece to its end. The signal is aborted when the queue stops. */
  work(row: Row, stopping: AbortSignal): Promise<void>;
}

interface RowQueueOptions {
  notices: Pick<Notices, 'on'>;
  onError(error: unknown): void;
  /** How often it polls for rows without a notice, and its delay after an error. */
  pollMs: number;
}

/**
 * Does work that waits in rows until it is stopped: takes as much at once as it has free places,
 * after a notice, at a poll, and when a place is free again (docs/decisions/0092).
 */
export class RowQueue<Row> {
  readonly #task: RowTask<Row>;
  readonly #onError: (error: unknown) => void;
  readonly #stopping = new AbortController();
  readonly #running = new Map<Promise<void>, Row>();
  readonly #off: () => void;
  readonly #polls: NodeJS.Timeout;
  /** False once a statement has found fewer rows than there were places, until the next notice. */
  #mayWait = true;
  /** After an error until the next poll. */
  #failed = false;
  /** Until then rows may be lost to this process. */
  #lostUntil = 0;
  #mustGiveBack = false;
  #isTaking = false;
  #lastTaking: Promise<void> = Promise.resolve();

  constructor(task: RowTask<Row>, { notices, onError, pollMs }: RowQueueOptions) {
    this.#task = task;
    this.#onError = onError;
    // Each piece of work may listen: their number is the concurrency, not a leak.
    setMaxListeners(0, this.#stopping.signal);
    this.#off = notices.on(task.topic, () => this.#wake());
    this.#polls = setInterval(
      guarded(() => {
        this.#failed = false;
        this.#mustGiveBack = performance.now() < this.#lostUntil;
        this.#wake();
      }),
      pollMs,
    );
    this.#wake();
  }

  /** Takes no further row; resolves when the running work has ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#off();
    clearInterval(this.#polls);
    await this.#lastTaking;
    if (performance.now() < this.#lostUntil) await this.#task.giveBack().catch(this.#onError);
    await Promise.all(this.#running.keys());
  }

  #wake(): void {
    this.#mayWait = true;
    this.#fill();
  }

  #fill(): void {
    if (!this.#isTaking) this.#lastTaking = this.#takeWhileFree();
  }

  get #canTake(): boolean {
    return (
      this.#mayWait &&
      !this.#failed &&
      !this.#stopping.signal.aborted &&
      this.#running.size < this.#task.concurrency
    );
  }

  async #takeWhileFree(): Promise<void> {
    this.#isTaking = true;
    try {
      await this.#giveBackLost();
      while (this.#canTake) {
        // Work often ends in groups: all of their places are free a turn later.
        await setImmediate();
        if (this.#stopping.signal.aborted) return;
        const limit = Math.min(this.#task.concurrency - this.#running.size, MAX_TAKEN);
        this.#mayWait = false;
        for (const row of await this.#take(limit)) this.#start(row);
      }
    } catch (error) {
      this.#failed = true;
      if (!this.#stopping.signal.aborted) this.#onError(error);
    } finally {
      this.#isTaking = false;
    }
  }

  async #giveBackLost(): Promise<void> {
    if (!this.#mustGiveBack) return;
    this.#mustGiveBack = false;
    await this.#task.giveBack();
  }

  async #take(limit: number): Promise<Row[]> {
    try {
      const rows = await this.#task.take(limit, [...this.#running.values()]);
      if (rows.length === limit) this.#mayWait = true;
      return rows;
    } catch (error) {
      this.#lostUntil = performance.now() + LOST_STATEMENT_MS;
      throw error;
    }
  }

  #start(row: Row): void {
    const work = this.#task
      .work(row, this.#stopping.signal)
      .catch(this.#onError)
      .finally(() => {
        this.#running.delete(work);
        this.#fill();
      });
    this.#running.set(work, row);
  }
}

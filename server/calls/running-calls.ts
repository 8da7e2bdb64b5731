import type { Sql } from '@/db/client';
import { hideOutputs } from '../assets/hide-outputs';
import { errorBody } from '../core/trpc/format-error';
import { newId } from '../kit/ids';
import { callFailure } from './call-failure';
import { type CallRun, HandOver } from './call-run';
import type { CallFlush } from './flush';
import { extendWaitingJobs, reapCalls, requeueCall } from './job-store';
import { SlotQueue } from './slot-queue';
import { extendLeases, findOpenCalls } from './store';

/** A third of the lease, so that two heartbeats may fail. */
const HEARTBEATS_PER_LEASE = 3;
/**
 * So much of a lease is left when a run that another process may begin again is stopped: time for
 * its handler to end.
 */
const LEASE_MARGIN = 1 / 6;
/**
 * Often enough that nothing is held two minutes after its process died: a lease of 90 s, and this.
 */
const REAP_MS = 10_000;
const REAP_BATCH = 200;
/** How often a queued call is begun again after its process was lost. */
const MAX_ATTEMPTS = 3;
const LOST = 'The process that ran this call ended before it had finished.';
/** The answer kept for an Idempotency-Key whose call was lost and may not be run again. */
const lostReply = (baseUrl: string) =>
  errorBody(callFailure({ code: null, message: LOST }), newId('request'), baseUrl);
/** How long aborted calls get to be closed. */
const ABORT_GRACE_MS = 3000;
const POLL_MS = 25;

/**
 * The calls that run in this process: renews their leases, ends or requeues those that other
 * processes left behind, and on shutdown waits for its own within a bound.
 */
export class RunningCalls {
  readonly #runs = new Map<string, CallRun>();
  /** From when on each holds its lease: before it was asked for, by the clock of this process. */
  readonly #leasedAt = new WeakMap<CallRun, number>();
  readonly #sql: Sql;
  readonly #flush: CallFlush;
  readonly #onError: (error: unknown) => void;
  readonly #baseUrl: string;
  /**
   * Told when a call of this process has ended: a slot of its key may be free. Null: nobody waits
   * any more.
   */
  readonly #onEnd = new Set<(keyId: string | null) => void>();
  /** Calls that wait here for a slot of their key. */
  readonly slots = new SlotQueue((keyId, withinMs) => this.#slotMayBeFree(keyId, withinMs));
  /** Those of them that are jobs. */
  readonly #waiting = new Set<string>();
  /** Calls of which nobody knows yet whether they are open. */
  opening = 0;
  #timers: NodeJS.Timeout[] = [];
  #stopping = false;
  /** The bound of the stop is over: what still runs, or begins, is ended. */
  #ending = false;

  constructor(sql: Sql, flush: CallFlush, baseUrl: string, onError: (error: unknown) => void) {
    this.#sql = sql;
    this.#flush = flush;
    this.#onError = onError;
    this.#baseUrl = baseUrl;
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Whether the process is about to end: nothing new is begun. */
  get stopping(): boolean {
    return this.#stopping;
  }

  add(run: CallRun): void {
    this.#runs.set(run.id, run);
    this.#leasedAt.set(run, run.call.leasedAt ?? performance.now());
    if (this.#ending) end(run);
  }

  delete(run: CallRun): void {
    this.#runs.delete(run.id);
    for (const tell of this.#onEnd) tell(run.call.keyId);
  }

  /** Resolves when a call of this key has ended here, at the latest after this time. */
  async #slotMayBeFree(keyId: string, withinMs: number): Promise<void> {
    await new Promise<void>((done) => {
      const end = () => {
        clearTimeout(timer);
        this.#onEnd.delete(tell);
        done();
      };
      const tell = (id: string | null) => (id === keyId || id === null) && end();
      const timer = setTimeout(end, withinMs);
      this.#onEnd.add(tell);
    });
  }

  /**
   * Renews the lease of the job of a call that waits for a slot. Returns how to end that: what
   * could not be ended then, because the database was away, runs out.
   */
  holdWaitingJob(callId: string): () => void {
    this.#waiting.add(callId);
    return () => void this.#waiting.delete(callId);
  }

  /** Whether this process still holds the lease of a call. */
  async isStillOurs(id: string): Promise<boolean> {
    return (await findOpenCalls(this.#sql, [id], this.#flush.fence)).includes(id);
  }

  /** Gives a queued call back to the queue, so that another process runs it from the start. */
  async handOver(id: string): Promise<boolean> {
    return await requeueCall(
      this.#sql,
      id,
      this.#flush.fence,
      'The worker stops: the call starts again in another.',
    );
  }

  /** Starts the heartbeat and the reaper. */
  start(): void {
    const every = (ms: number, work: () => Promise<unknown>) => {
      const timer = setInterval(() => void work().catch(this.#onError), ms);
      timer.unref();
      this.#timers.push(timer);
    };
    const leaseMs = this.#flush.leaseSeconds * 1000;
    every(leaseMs / HEARTBEATS_PER_LEASE, () => this.beat());
    every((leaseMs * LEASE_MARGIN) / 2, async () => this.stopUnleased());
    every(Math.min(REAP_MS, this.#flush.leaseSeconds * 500), () => this.reap());
    void this.reap().catch(this.#onError);
  }

  /**
   * Lengthens every lease of this process; stops what somebody else has ended: nobody is sold its
   * result.
   */
  async beat(): Promise<void> {
    const { fence, leaseSeconds } = this.#flush;
    if (this.#runs.size > 0) {
      const ids = [...this.#runs.keys()];
      const asked = performance.now();
      const ours = new Set(await extendLeases(this.#sql, ids, fence, leaseSeconds));
      for (const id of ours) this.#renewed(id, asked);
      const unsure = ids.filter((id) => !ours.has(id));
      for (const id of unsure.length > 0 ? await findOpenCalls(this.#sql, unsure, fence) : []) ours.add(id);
      for (const id of unsure) if (!ours.has(id)) this.#runs.get(id)?.stop(new Error('The call was ended'));
    }
    if (this.#waiting.size > 0) await extendWaitingJobs(this.#sql, [...this.#waiting], fence, leaseSeconds);
  }

  #renewed(id: string, at: number): void {
    const run = this.#runs.get(id);
    if (run) this.#leasedAt.set(run, at);
  }

  /**
   * Stops the runs whose lease is about to run out because nobody could renew it, where another
   * process would begin the call again: one handler at a time. Others go on: nobody begins theirs,
   * and the lease is renewed if the database returns.
   */
  stopUnleased(): void {
    const bound = this.#flush.leaseSeconds * 1000 * (1 - LEASE_MARGIN);
    const now = performance.now();
    for (const run of this.#runs.values())
      if (run.canBeHandedOver && now - (this.#leasedAt.get(run) ?? now) >= bound) run.stop(new HandOver());
  }

  /**
   * Ends or requeues calls whose lease has run out. Returns how many. Its own first: after a pause
   * of the database or of this process they may have run out too, and still run.
   */
  async reap(): Promise<number> {
    await this.beat();
    const reaped = await reapCalls(this.#sql, {
      limit: REAP_BATCH,
      maxAttempts: MAX_ATTEMPTS,
      error: LOST,
      line: 'The worker was lost: the call starts again in another.',
      reply: lostReply(this.#baseUrl),
      queueSeconds: this.#flush.leaseSeconds,
    });
    const failed = reaped.filter(({ outcome }) => outcome === 'failed');
    await hideOutputs(
      this.#sql,
      failed.map(({ id }) => id),
    );
    return reaped.length;
  }

  /**
   * Waits until no call runs, at most this long; those that wait for a slot are refused. Then
   * queued calls are handed over, the others stopped, and both get a moment to be written down.
   */
  async drain(boundMs: number): Promise<void> {
    this.#stopping = true;
    for (const tell of [...this.#onEnd]) tell(null);
    await this.#untilEmpty(boundMs);
    for (const timer of this.#timers) clearInterval(timer);
    this.#ending = true;
    for (const run of this.#runs.values()) end(run);
    await this.#untilEmpty(ABORT_GRACE_MS);
  }

  async #untilEmpty(boundMs: number): Promise<void> {
    const end = performance.now() + boundMs;
    const busy = () => this.#runs.size > 0 || this.opening > 0 || this.#waiting.size > 0 || !this.slots.empty;
    while (busy() && performance.now() < end) await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

function end(run: CallRun): void {
  run.stop(run.canBeHandedOver ? new HandOver() : new Error('The gateway is shutting down'));
}

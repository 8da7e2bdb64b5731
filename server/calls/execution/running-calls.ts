import type { Sql } from '@/db/client';
import { LOST_STATEMENT_MS } from '@/db/pool-bounds';
import { errorBody } from '../../core/errors/error-body';
import { GatewayError } from '../../core/errors/gateway-error';
import type { KeyContext } from '../../core/trpc/context';
import { newId } from '../../kit/ids';
import { SlotQueue } from '../admission/slot-queue';
import type { CallFlush } from '../flush';
import { extendWaitingJobs, reapCalls, requeueCall } from '../jobs/queue-store';
import { callFailure } from '../settlement/call-failure';
import { type CallRun, HandoverRequested } from './call-run';
import { cancelWithRequest } from './cancel-with-request';
import { extendLeases, findOpenCalls } from './store';

/** Three heartbeats per lease, so that two may fail. */
const HEARTBEATS_PER_LEASE = 3;
/** Part of the lease that remains when a rerunnable run is stopped: time for its handler to end. */
const LEASE_MARGIN = 1 / 6;
/** With a lease of 90 s, a hold is released within two minutes after its process died. */
const REAP_MS = 10_000;
const REAP_BATCH = 200;
/** How often a queued call may be lost with its process; the last time it runs alone. */
export const MAX_ATTEMPTS = 3;
const LOST = 'The process that ran this call ended before the call finished.';
/** The stored response for an Idempotency-Key if its call was lost and may not be rerun. */
const lostReply = (baseUrl: string) =>
  errorBody(callFailure(null, { code: null, message: LOST }), newId('request'), baseUrl);
/** How long aborted calls may take to close. */
const ABORT_GRACE_MS = 3000;
const POLL_MS = 25;
/** Of further calls, the lease expires. */
const MAX_ABANDONED = 10_000;

/**
 * The calls that run in this process. Renews their leases, ends or requeues calls of dead
 * processes, and on shutdown drains its own calls within a time limit.
 */
export class RunningCalls {
  readonly #runs = new Map<string, CallRun>();
  /** Number of runs by key. */
  readonly #byKey = new Map<string, number>();
  /** When each run requested its current lease, by the monotonic clock of this process. */
  readonly #leasedAt = new WeakMap<CallRun, number>();
  readonly #sql: Sql;
  readonly #flush: CallFlush;
  readonly #onError: (error: unknown) => void;
  readonly #baseUrl: string;
  /**
   * Listeners for ended calls of this process: a slot of the key may be free. Null means shutdown.
   */
  readonly #onEnd = new Set<(keyId: string | null) => void>();
  /** Calls that wait in this process for a slot of their key. */
  readonly slots = new SlotQueue((keyId, withinMs) => this.#slotMayBeFree(keyId, withinMs));
  /** The waiting calls that have become jobs. */
  readonly #waiting = new Set<string>();
  /** The calls that this process took from the queue, until their end is recorded. */
  readonly taken = new Set<{ id: string }>();
  /** Calls that will not run here, although PostgreSQL may admit them until then. */
  readonly #abandoned = new Map<string, number>();
  /** Calls with handlers that ignore their stop: their runs have ended without them. */
  readonly #outliving = new Set<string>();
  /** Calls with an open statement in flight. */
  opensInFlight = 0;
  #timers: NodeJS.Timeout[] = [];
  #stopping = false;
  /** The drain limit has passed: remaining and new runs are stopped. */
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

  /** The run of a call in this process. */
  findRun(id: string): CallRun | undefined {
    return this.#runs.get(id);
  }

  /** Remembers a handler that still runs after the run of its call, until it returns. */
  trackOutliving(id: string, handler: Promise<unknown>): void {
    this.#outliving.add(id);
    const forget = () => void this.#outliving.delete(id);
    handler.then(forget, forget);
  }

  /** Whether a handler of an earlier run of the call still runs in this process. */
  hasOutliving(id: string): boolean {
    return this.#outliving.has(id);
  }

  /** How many calls of a key run in this process. */
  countOf(keyId: string): number {
    return this.#byKey.get(keyId) ?? 0;
  }

  /** True during shutdown: no new calls start. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** @throws GatewayError UNAVAILABLE during shutdown */
  refuseWhileStopping(): void {
    if (this.#stopping)
      throw new GatewayError('UNAVAILABLE', {
        message: 'This gateway process is shutting down.',
        details: { retry_after: 1, billed: false },
      });
  }

  add(run: CallRun): void {
    this.#runs.set(run.id, run);
    this.#byKey.set(run.call.keyId, this.countOf(run.call.keyId) + 1);
    this.#leasedAt.set(run, run.call.leasedAt ?? performance.now());
    if (this.#ending) end(run);
  }

  delete(run: CallRun): void {
    this.#runs.delete(run.id);
    const left = this.countOf(run.call.keyId) - 1;
    if (left > 0) this.#byKey.set(run.call.keyId, left);
    else this.#byKey.delete(run.call.keyId);
    for (const listener of this.#onEnd) listener(run.call.keyId);
  }

  /** Resolves when a call of this key ends here, or after the timeout. */
  async #slotMayBeFree(keyId: string, withinMs: number): Promise<void> {
    await new Promise<void>((done) => {
      const end = () => {
        clearTimeout(timer);
        this.#onEnd.delete(listener);
        done();
      };
      const listener = (id: string | null) => (id === keyId || id === null) && end();
      const timer = setTimeout(end, withinMs);
      this.#onEnd.add(listener);
    });
  }

  /**
   * Renews the lease of a waiting job until the returned function is called. If ending the job
   * fails then, its lease expires.
   */
  holdWaitingJob(callId: string): () => void {
    this.#waiting.add(callId);
    return () => void this.#waiting.delete(callId);
  }

  /**
   * Cancels a call when its request is cancelled, if the transport supports that.
   * @param run the run in this process; null for a queued call, which any process may run
   */
  cancelWithRequest(context: KeyContext, call: { id: string }, run: CallRun | null): void {
    cancelWithRequest(context, call, run);
  }

  /** Lets the reaper end a call without a charge, if it was admitted although no answer came. */
  abandon(id: string): void {
    if (this.#abandoned.size < MAX_ABANDONED) this.#abandoned.set(id, performance.now() + LOST_STATEMENT_MS);
  }

  /** Whether this process still holds the lease of a call. */
  async isStillOurs(id: string): Promise<boolean> {
    return (await findOpenCalls(this.#sql, [id], this.#flush.fence)).includes(id);
  }

  /** Returns a queued call to the queue, so that another process reruns it. */
  async handOver(id: string): Promise<boolean> {
    return await requeueCall(
      this.#sql,
      id,
      this.#flush.fence,
      'The worker is stopping. The call restarts on another worker.',
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
    every(leaseMs / HEARTBEATS_PER_LEASE, () => this.renewLeases());
    every((leaseMs * LEASE_MARGIN) / 2, async () => this.stopUnleased());
    every(Math.min(REAP_MS, this.#flush.leaseSeconds * 500), () => this.reap());
    void this.reap().catch(this.#onError);
  }

  /**
   * Extends every lease of this process, and stops runs that another process has ended: their
   * results are not charged.
   */
  async renewLeases(): Promise<void> {
    const { fence, leaseSeconds } = this.#flush;
    if (this.#runs.size > 0) {
      const ids = [...this.#runs.keys()];
      const requestedAt = performance.now();
      const ours = new Set(await extendLeases(this.#sql, ids, fence, leaseSeconds));
      for (const id of ours) this.#renewed(id, requestedAt);
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
   * Stops rerunnable runs with a lease about to expire, so that two handlers never run for one
   * call. Other runs continue: no process restarts them, and the lease is renewed if the database
   * returns.
   */
  stopUnleased(): void {
    for (const run of this.#runs.values())
      if (run.canBeHandedOver && this.mayLoseLease(this.#leasedAt.get(run) ?? performance.now()))
        run.stop(new HandoverRequested());
  }

  /** Whether a lease that was requested then, and not renewed, is about to expire. */
  mayLoseLease(leasedAt: number): boolean {
    return performance.now() - leasedAt >= this.#flush.leaseSeconds * 1000 * (1 - LEASE_MARGIN);
  }

  /**
   * Ends or requeues calls with expired leases; returns their number. Extends its own leases first:
   * after a stall of the database or of this process they may have expired while the calls still
   * run.
   */
  async reap(): Promise<number> {
    await this.renewLeases();
    await this.#expireAbandoned();
    const reaped = await reapCalls(this.#sql, {
      limit: REAP_BATCH,
      maxAttempts: MAX_ATTEMPTS,
      error: LOST,
      line: 'The worker was lost. The call restarts on another worker.',
      reply: lostReply(this.#baseUrl),
    });
    return reaped.length;
  }

  async #expireAbandoned(): Promise<void> {
    if (this.#abandoned.size === 0) return;
    const now = performance.now();
    for (const id of await extendLeases(this.#sql, [...this.#abandoned.keys()], this.#flush.fence, 0))
      this.#abandoned.delete(id);
    for (const [id, until] of this.#abandoned) if (now >= until) this.#abandoned.delete(id);
  }

  /**
   * Waits until no call runs, up to the limit; calls that wait for a slot are refused. Then hands
   * queued calls over, stops the others, and gives both a short time to be recorded.
   */
  async drain(boundMs: number): Promise<void> {
    this.#stopping = true;
    for (const listener of [...this.#onEnd]) listener(null);
    await this.#untilEmpty(boundMs);
    for (const timer of this.#timers) clearInterval(timer);
    this.#ending = true;
    for (const run of this.#runs.values()) end(run);
    await this.#untilEmpty(ABORT_GRACE_MS);
  }

  async #untilEmpty(boundMs: number): Promise<void> {
    const end = performance.now() + boundMs;
    const busy = () =>
      this.#runs.size > 0 || this.opensInFlight > 0 || this.#waiting.size > 0 || !this.slots.empty;
    while (busy() && performance.now() < end) await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

function end(run: CallRun): void {
  run.stop(run.canBeHandedOver ? new HandoverRequested() : new Error('The gateway is shutting down'));
}

import { errorBody } from '../../core/errors/error-body';
import { GatewayError } from '../../core/errors/gateway-error';
import { toStoredError } from '../../core/idempotency/replay-response';
import { findStoredResponse } from '../../core/idempotency/store';
import type { Runtime } from '../../core/runtime';
import { retryLost } from '../../kit/retry-lost';
import type { AdmittedCall } from '../admission/admit-call';
import { toJobId } from '../jobs/job-ids';
import { JobLog } from '../jobs/job-log';
import { sumCost } from '../prepare/price-call';
import type { CallResult } from '../result/schema';
import { callFailure } from '../settlement/call-failure';
import { toSuccessResult } from '../settlement/describe-result';
import { type Priced, priceAttempt, reportEnded, toSettlement } from '../settlement/price-attempt';
import type { EndResponse, EndResult } from '../settlement/store';
import type { Attempt } from './attempt-call';
import { CallAttempt } from './call-attempt';
import type { FileDisposition } from './call-services';
import type { RunLog } from './run-log';

/** The result of a call that never ran because its job had already ended. */
const NOT_STARTED: Priced = {
  attempt: {
    ok: false,
    code: 'HANDLER_ERROR',
    message: 'The job ended before the call could start.',
    latencyMs: 0,
  },
  cost: { markup: 0n, raw: 0n },
  byok: false,
};

/** The end of a call: its result or its error. */
export type CallOutcome =
  | { ok: true; result: CallResult }
  | {
      ok: false;
      error: GatewayError;
      /** Another process ended the call first: a job has its true outcome. */
      elsewhere?: true;
    };

interface RunOptions {
  requestId: string;
  /** Set if the call already is a job, run by a worker. */
  job?: { lastSeq: number };
  /**
   * A pending job waits for this call. It must be set to running before the handler starts; if it
   * has ended, the call ends too.
   */
  hasPendingJob?: boolean;
  /** The attempt, if it was started before the call was admitted. */
  attempt?: CallAttempt | undefined;
  /** A stream follows the log: once the call is a job, its lines are stored sooner. */
  streamed?: boolean;
}

/**
 * Abort reason for a handler on a stopping worker: its call returns to the queue instead of being
 * closed.
 */
export class HandoverRequested extends Error {}

/**
 * Runs one opened call in this process: executes the handler, then closes the call. The run
 * outlives the request that started it. While this process holds the lease, only this class closes
 * the call.
 */
export class CallRun {
  readonly call: AdmittedCall;
  /** Resolves with the end of the call; rejects only if the close could not be written. */
  readonly ended: Promise<CallOutcome>;
  readonly #runtime: Runtime;
  readonly #requestId: string;
  readonly #attempt: CallAttempt;
  readonly #queued: boolean;
  readonly #streamed: boolean;
  #ending = false;
  /**
   * Keep by default: another process may continue the call, and if its state is unknown, the reaper
   * hides the files.
   */
  #left: FileDisposition = 'keep';
  /** Whether the call is a job; unset until a promotion was requested. */
  #job: Promise<boolean> | undefined;
  /** A promotion was requested that also stores the response for the Idempotency-Key. */
  #storesPending = false;
  /** The response of a promotion was lost: the call may be a job, so its close ends the job too. */
  #mayBeJob = false;
  #offCancel: (() => void) | undefined;
  /** Created only for jobs. */
  #jobLog: JobLog | undefined;

  constructor(runtime: Runtime, call: AdmittedCall, options: RunOptions) {
    const { requestId, job, hasPendingJob = false } = options;
    this.#runtime = runtime;
    this.#requestId = requestId;
    this.call = call;
    const { resumed } = call;
    this.#attempt = options.attempt ?? new CallAttempt(runtime, call, { resumed, lastSeq: job?.lastSeq });
    this.#attempt.gate?.admit();
    this.#queued = job !== undefined;
    this.#streamed = options.streamed === true;
    if (job) {
      this.#job = Promise.resolve(true);
      this.#beJob();
    }
    runtime.running.add(this);
    this.ended = this.#run(hasPendingJob);
    // Waiting requests get the rejection. Without one, it is logged here and the reaper ends the
    // call.
    this.ended.catch((error) => runtime.log.error('call.close_failed', { callId: call.id, error }));
  }

  get id(): string {
    return this.call.id;
  }

  /** The log as others see it: of a job, only what is stored. */
  get visibleLog(): Pick<RunLog, 'lines' | 'progress' | 'on'> {
    return this.#jobLog ?? this.#attempt.log;
  }

  /**
   * True if another process may rerun the call: it came from the queue and its skill is idempotent.
   */
  get canBeHandedOver(): boolean {
    return this.#queued && this.call.skill.annotations.idempotent;
  }

  /** Requests that the handler stop. Only the first reason is recorded. */
  stop(reason: unknown): void {
    this.#attempt.stop.stop(reason);
  }

  /**
   * Turns the call into a job, so that its result outlives this request. Afterwards either the call
   * is a job, or `ended` is about to resolve.
   * @param pending the response to the request if the call becomes a job; stored if the request has
   *   an Idempotency-Key
   * @returns whether the call is a job
   */
  promote(pending: object | null): Promise<boolean> {
    if (this.#ending) return Promise.resolve(false);
    const stores = pending !== null && this.call.storesResponse;
    const earlier = this.#job;
    if (!earlier) this.#job = this.#promote(pending);
    // Already a job without a stored response: store the one this request gets.
    else if (stores && !this.#storesPending) this.#job = earlier.then(() => this.#promote(pending));
    this.#storesPending ||= stores;
    return this.#job as Promise<boolean>;
  }

  /**
   * Whether the request must be answered as pending although the call has ended: a promotion with a
   * lost response may have stored that answer, and an Idempotency-Key has only one.
   */
  async mustAnswerPending(): Promise<boolean> {
    if (!this.#mayBeJob || !this.call.storesResponse) return false;
    return (await findStoredResponse(this.#runtime.sql, this.id))?.status === 202;
  }

  async #promote(pending: object | null): Promise<boolean> {
    const { flush, log } = this.#runtime;
    const { id, skill, webhookUrl } = this.call;
    const reply = pending && JSON.stringify(pending);
    const request = { id, jobId: toJobId(id), rerunnable: skill.annotations.idempotent, reply, webhookUrl };
    const onError = (error: unknown) => {
      log.error('call.promote_failed', { callId: id, error });
      this.#mayBeJob = true;
    };
    try {
      const { retryMs } = flush;
      const promoted = await retryLost(() => flush.promoteCall(request), { retryMs, onError });
      if (promoted) this.#beJob();
      return promoted;
    } catch {
      // The request keeps waiting for the call itself.
      this.#job = undefined;
      return false;
    }
  }

  #beJob(): void {
    if (this.#jobLog) return;
    this.#offCancel = this.#runtime.notices.on(`cancel:${this.id}`, () => void this.#checkCancelled());
    const streamed = this.#streamed;
    this.#jobLog = new JobLog(this.#runtime, this.id, this.#attempt.log, { streamed });
    this.#jobLog.start();
  }

  /** A notice only means "check again": after a reconnect all runs receive one. */
  async #checkCancelled(): Promise<void> {
    try {
      if (await this.#runtime.running.isStillOurs(this.id)) return;
      this.stop(new Error('The call was ended'));
    } catch (error) {
      this.#runtime.log.warn('call.cancel_check_failed', { callId: this.id, error });
    }
  }

  async #run(hasPendingJob: boolean): Promise<CallOutcome> {
    try {
      return await this.#runToEnd(hasPendingJob);
    } finally {
      this.#offCancel?.();
      this.#runtime.running.delete(this);
      this.#attempt.services
        .end(this.#left)
        .catch((error) => this.#runtime.log.warn('call.files_cleanup_failed', { callId: this.id, error }));
    }
  }

  async #runToEnd(hasPendingJob: boolean): Promise<CallOutcome> {
    if (hasPendingJob && !(await this.promote(null))) return await this.#end(NOT_STARTED, false);
    const attempt = await this.#attempt.run();
    const priced = priceAttempt(this.#runtime, this.call, attempt, this.#attempt.services.ownKeyUsed);
    // Wait for a pending promotion, so that the close also ends the job.
    this.#ending = true;
    await this.#job;
    const isJob = this.#jobLog !== undefined;
    if (isJob) {
      await this.#jobLog?.flush();
      if (await this.#handedOver(priced.attempt))
        return {
          ok: false,
          error: callFailure(this.id, { code: null, message: 'The call was handed over.' }),
        };
    }
    return await this.#end(priced, isJob);
  }

  async #handedOver(attempt: Attempt): Promise<boolean> {
    if (attempt.ok || !(this.#attempt.stop.reason instanceof HandoverRequested)) return false;
    return await this.#runtime.running.handOver(this.id);
  }

  /**
   * Another process ended the call first, through a cancel or after our lease expired, so this
   * result is not charged. With an Idempotency-Key the response is the stored one, or UNAVAILABLE
   * if there is none yet: one key never gets two different responses.
   */
  async #endedByOthers(own: GatewayError | null): Promise<CallOutcome> {
    if (!this.call.storesResponse) {
      const error =
        own ?? callFailure(this.id, { code: null, message: 'The call was ended before the tool finished.' });
      return { ok: false, error, elsewhere: true };
    }
    const stored = await findStoredResponse(this.#runtime.sql, this.id);
    // Null if the record was released, so that the request can be sent again.
    if (stored && stored.status >= 400) return { ok: false, error: toStoredError(stored) };
    const details = { retry_after: 1, billed: false, call_id: this.id };
    const lost = new GatewayError('UNAVAILABLE', { message: 'The call was lost. Send it again.', details });
    return { ok: false, error: lost, elsewhere: true };
  }

  async #end(priced: Priced, isJob: boolean): Promise<CallOutcome> {
    const { attempt } = priced;
    const { call } = this;
    const error = attempt.ok ? null : callFailure(call.id, attempt, call.skill);
    const { observer } = this.#runtime;
    const closed = await observer.span('gateway.call.close', {}, () => this.#close(priced, error, isJob));
    // If another attempt ended the call, its files may be paid for: remove only our own.
    const settled = closed.state === 'closed' || closed.state === 'success';
    reportEnded(this.#runtime, call, priced, { requestId: this.#requestId, isJob, isLost: !settled });
    if (settled) this.#runtime.callContents.record(call, attempt, this.#attempt.log);
    const sold = attempt.ok && settled;
    if (sold && sumCost(priced.cost) > 0n) this.#runtime.ports.refundCompute(call.caller);
    if (!sold) this.#left = closed.state === 'closed' ? 'discard' : 'transferred';
    if (!settled) return await this.#endedByOthers(error);
    if (!attempt.ok) return { ok: false, error: error as GatewayError };
    return {
      ok: true,
      result: toSuccessResult(this.#runtime, call, attempt, priced, await this.#availableAfter(closed)),
    };
  }

  /**
   * A repeated close returns the current balance. With an Idempotency-Key, use the balance that the
   * first close stored.
   */
  async #availableAfter({ state, available }: EndResult): Promise<bigint> {
    const { call } = this;
    const isRepeated = call.storesResponse && state === 'success';
    const stored = isRepeated ? await findStoredResponse(this.#runtime.sql, call.id) : null;
    return stored?.available ?? available ?? call.availableAfterHold;
  }

  #close(priced: Priced, error: GatewayError | null, isJob: boolean): Promise<EndResult> {
    return this.#runtime.flush.endCall({
      success: priced.attempt.ok,
      ...toSettlement(this.#runtime, this.call, priced),
      response: this.#toResponse(priced, error, isJob),
    });
  }

  /** Stored with the end: needed only for jobs and Idempotency-Keys. */
  #toResponse(priced: Priced, error: GatewayError | null, isJob: boolean): EndResponse | null {
    const { attempt } = priced;
    const { call } = this;
    if (!isJob && !this.#mayBeJob && !call.storesResponse) return null;
    const result = attempt.ok
      ? toSuccessResult(this.#runtime, call, attempt, priced, call.availableAfterHold)
      : errorBody(error as GatewayError, this.#requestId, this.#runtime.settings.baseUrl);
    return { error: error?.message ?? null, result: JSON.stringify(result) };
  }
}

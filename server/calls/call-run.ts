import { setTimeout as wait } from 'node:timers/promises';
import { GatewayError } from '../core/errors/gateway-error';
import { findKeptCredit } from '../core/idempotency/find-kept-credit';
import { findKeptFailure } from '../core/idempotency/find-kept-failure';
import { isStoredAsPending } from '../core/idempotency/is-stored-as-pending';
import type { Runtime } from '../core/runtime';
import { errorBody } from '../core/trpc/format-error';
import { refundCompute } from '../platform/workers/cpu-pool';
import { type Attempt, attemptCall } from './attempt-call';
import { AttemptStop } from './attempt-stop';
import { CallFailure, callFailure, isToolFailure, outcomeOf } from './call-failure';
import { type Priced, priceAttempt, successOf } from './call-result';
import { CallServices, type LeftFiles } from './call-services';
import { JobLog } from './job-log';
import { promoteCall } from './job-store';
import { jobIdOf } from './jobs/job-ids';
import type { OpenedCall } from './open-call';
import { total } from './price-call';
import { redactAttempt } from './redact-attempt';
import type { CallResult } from './result/schema';
import { RunLog } from './run-log';
import type { CloseRequest, CloseResult } from './store';

/** A promotion whose answer was lost is asked for again: it happens once, however often. */
const PROMOTE_ATTEMPTS = 4;

/** A call whose job was given up before it could begin. */
const NOT_BEGUN: Priced = {
  attempt: {
    ok: false,
    code: 'HANDLER_ERROR',
    message: 'Its job had ended before the call could begin.',
    latencyMs: 0,
  },
  cost: { markup: 0n, raw: 0n },
  byok: false,
};

/** How a call ended. */
export type Ended = { ok: true; result: CallResult } | { ok: false; error: GatewayError };

interface RunOptions {
  requestId: string;
  /** It is a job already: a worker runs it. */
  job?: { lastSeq: number };
  /**
   * A job waits for it, which must be set running before anything else; where that has ended, so
   * does the call.
   */
  awaited?: boolean;
}

/**
 * Thrown into a handler whose worker stops: its call is given back to the queue instead of being
 * closed.
 */
export class HandOver extends Error {}

/**
 * The run of one opened call in this process: the attempt, then its close. Requests come and go;
 * the run goes on. It is the one place that ends a call whose lease this process holds.
 */
export class CallRun {
  readonly call: OpenedCall;
  readonly log: RunLog;
  /** How it ended; rejects only where the database could not be told. */
  readonly ended: Promise<Ended>;
  readonly #runtime: Runtime;
  readonly #requestId: string;
  readonly #stop = new AttemptStop();
  readonly #services: CallServices;
  readonly #queued: boolean;
  #ending = false;
  /**
   * Where another process goes on with it, what it has made so far stays; where nobody knows how it
   * ended, the reaper will.
   */
  #left: LeftFiles = 'kept';
  /** Resolves to whether it is a job; unset while nobody has asked for that. */
  #job: Promise<boolean> | undefined;
  /** A promotion has been asked for that stores the response of its Idempotency-Key. */
  #storesPending = false;
  /**
   * Nobody knows whether the database made it one: its end tells the job too, should there be one.
   */
  #mayBeJob = false;
  #offCancel: (() => void) | undefined;
  /** Made for jobs: most calls are none. */
  #jobLog: JobLog | undefined;

  constructor(runtime: Runtime, call: OpenedCall, { requestId, job, awaited = false }: RunOptions) {
    this.#runtime = runtime;
    this.#requestId = requestId;
    this.call = call;
    this.#services = new CallServices(runtime, call);
    this.#queued = job !== undefined;
    this.log = new RunLog(job?.lastSeq);
    if (job) {
      this.#job = Promise.resolve(true);
      this.#beJob();
    }
    runtime.running.add(this);
    this.ended = this.#run(awaited);
    // Whoever waits sees it; where nobody does, the log has it, and the reaper ends the call.
    this.ended.catch((error) => runtime.log.error('a call could not be closed', { callId: call.id, error }));
  }

  get id(): string {
    return this.call.id;
  }

  /**
   * Whether another process may run it again: it came from the queue, and its skill is idempotent.
   */
  get canBeHandedOver(): boolean {
    return this.#queued && this.call.skill.annotations.idempotent;
  }

  /** Asks the handler to stop; the first reason counts. */
  stop(reason: unknown): void {
    this.#stop.stop(reason);
  }

  /**
   * Makes it a job, so that its result outlives this request. Exactly one of two things is then
   * true: it is a job, or `ended` is about to say how it ended.
   * @param pending what the request is told where it becomes one; kept where it has an
   *   Idempotency-Key
   */
  promote(pending: object | null): Promise<boolean> {
    if (this.#ending) return Promise.resolve(false);
    const stores = pending !== null && this.call.kept;
    const earlier = this.#job;
    if (!earlier) this.#job = this.#promote(pending);
    // Already a job, whose response is not stored: the one that the request gets now is.
    else if (stores && !this.#storesPending) this.#job = earlier.then(() => this.#promote(pending));
    this.#storesPending ||= stores;
    return this.#job as Promise<boolean>;
  }

  /**
   * Whether its request must say that it goes on as a job although it has ended: a promotion whose
   * own answer was lost may have stored that for the Idempotency-Key, and one key has one answer.
   */
  async mustAnswerPending(): Promise<boolean> {
    return this.#mayBeJob && this.call.kept && (await isStoredAsPending(this.#runtime, this.id));
  }

  async #promote(pending: object | null): Promise<boolean> {
    const { sql, flush, log } = this.#runtime;
    const { id, skill } = this.call;
    const call = { id, jobId: jobIdOf(id), rerunnable: skill.annotations.idempotent, pending };
    for (let attempt = 1; attempt <= PROMOTE_ATTEMPTS; attempt++) {
      try {
        const promoted = await promoteCall(sql, call, flush.fence);
        if (promoted) this.#beJob();
        return promoted;
      } catch (error) {
        log.error('a call could not become a job', { callId: id, error });
        this.#mayBeJob = true;
        if (attempt < PROMOTE_ATTEMPTS) await wait(flush.retryMs * 2 ** attempt);
      }
    }
    // The request goes on waiting for the call itself.
    this.#job = undefined;
    return false;
  }

  #beJob(): void {
    if (this.#jobLog) return;
    this.#offCancel = this.#runtime.notices.on(`cancel:${this.id}`, () => void this.#checkCancelled());
    this.#jobLog = new JobLog(this.#runtime, this.id, this.log);
    this.#jobLog.start();
  }

  /** A notice only says "look": after a reconnection every run is told. */
  async #checkCancelled(): Promise<void> {
    try {
      if (await this.#runtime.running.isStillOurs(this.id)) return;
      this.stop(new Error('The call was ended'));
    } catch (error) {
      this.#runtime.log.warn('a cancelled call could not be looked up', { callId: this.id, error });
    }
  }

  async #run(awaited: boolean): Promise<Ended> {
    try {
      return await this.#runToEnd(awaited);
    } finally {
      this.#offCancel?.();
      this.#runtime.running.delete(this);
      this.#services
        .end(this.#left)
        .catch((error) => this.#runtime.log.warn('files of a call were left', { callId: this.id, error }));
    }
  }

  async #runToEnd(awaited: boolean): Promise<Ended> {
    if (awaited && !(await this.promote(null))) return await this.#end(NOT_BEGUN, false);
    const { tracing } = this.#runtime.observer;
    const attempt = tracing
      ? await tracing.span('gateway.call.attempt', this.#spanOptions(), () => this.#attempt())
      : await this.#attempt();
    const priced = priceAttempt(this.#runtime, this.call, attempt, this.#services.ownKeyUsed);
    // A promotion that is on its way comes first: then the close ends the job too.
    this.#ending = true;
    await this.#job;
    const isJob = this.#jobLog !== undefined;
    if (isJob) {
      await this.#jobLog?.flush();
      if (await this.#handedOver(priced.attempt))
        return {
          ok: false,
          error: new CallFailure('HANDLER_ERROR', { message: 'The call was handed over.' }),
        };
    }
    return await this.#end(priced, isJob);
  }

  #attempt(): Promise<Attempt> {
    const { call, log } = this;
    const { credential } = call;
    const attempt = attemptCall(call.skill, {
      input: call.input,
      deadlineMs: this.#runtime.settings.handlerTimeoutSeconds * 1000,
      stop: this.#stop,
      services: this.#services,
      caller: call.caller,
      onLog: (message) => log.add(credential ? credential.redact(message) : message),
      onProgress: (fraction) => log.setProgress(fraction),
    });
    return credential ? attempt.then((made) => redactAttempt(made, credential)) : attempt;
  }

  async #handedOver(attempt: Attempt): Promise<boolean> {
    if (attempt.ok || !(this.#stop.reason instanceof HandOver)) return false;
    return await this.#runtime.running.handOver(this.id);
  }

  /**
   * Somebody ended the call before us, by a cancel or because our lease had run out: what came
   * later is not sold. With an Idempotency-Key the answer is theirs, or none yet, so that one key
   * never says two things.
   */
  async #endedByOthers(own: GatewayError | null): Promise<GatewayError> {
    if (!this.call.kept)
      return own ?? callFailure({ code: null, message: 'The call was ended before its tool had finished.' });
    const lost = { message: 'The call was lost: send it again.', details: { retry_after: 1, billed: false } };
    return (await findKeptFailure(this.#runtime, this.id)) ?? new GatewayError('UNAVAILABLE', lost);
  }

  async #end(priced: Priced, isJob: boolean): Promise<Ended> {
    const { attempt } = priced;
    const { call } = this;
    const error = attempt.ok ? null : callFailure(attempt, call.skill);
    const { tracing } = this.#runtime.observer;
    const closed = tracing
      ? await tracing.span('gateway.call.close', {}, () => this.#close(priced, error, isJob))
      : await this.#close(priced, error, isJob);
    this.#count(priced, closed, isJob);
    // Of a failure that was not the end of the call, another attempt's files may be paid.
    const sold = attempt.ok && (closed.state === 'closed' || closed.state === 'success');
    if (sold && total(priced.cost) > 0n) refundCompute(call.caller);
    if (!sold) this.#left = closed.state === 'closed' ? 'none' : "others'";
    if (!attempt.ok && isToolFailure(attempt.code)) {
      this.#runtime.log.warn('tool failed', {
        requestId: this.#requestId,
        callId: call.id,
        jobId: isJob ? jobIdOf(call.id) : undefined,
        accountId: call.accountId,
        keyId: call.keyId,
        tool: call.tool.name,
        skill: call.skill.name,
        error: attempt.cause,
      });
    }
    if (closed.state !== 'closed' && closed.state !== 'success')
      return { ok: false, error: await this.#endedByOthers(error) };
    if (!attempt.ok) return { ok: false, error: error as GatewayError };
    return {
      ok: true,
      result: successOf(this.#runtime, call, attempt, priced, await this.#availableAfter(closed)),
    };
  }

  #spanOptions() {
    const { id, tool, skill } = this.call;
    return {
      attributes: { 'gateway.call.id': id, 'gateway.tool': tool.name, 'gateway.skill': skill.name },
      failure: (attempt: Attempt) => (attempt.ok ? null : attempt.code),
    };
  }

  #count({ attempt, cost, byok }: Priced, { state }: CloseResult, isJob: boolean): void {
    const settled = state === 'closed' || state === 'success';
    const outcome = settled ? outcomeOf(attempt) : 'lost';
    const { name: tool } = this.call.tool;
    const chargedMicrousd = cost.markup + cost.raw;
    const mode = isJob ? 'job' : 'request';
    this.#runtime.observer.callEnded({
      tool,
      outcome,
      mode,
      latencyMs: attempt.latencyMs,
      chargedMicrousd,
      byok,
    });
  }

  /**
   * A close that was asked for again tells the credit of now: under an Idempotency-Key it is what
   * the first one kept.
   */
  async #availableAfter({ state, available }: CloseResult): Promise<bigint> {
    const { call } = this;
    const kept = call.kept && state === 'success' ? await findKeptCredit(this.#runtime, call.id) : null;
    return kept ?? available ?? call.availableAfterHold;
  }

  #close(priced: Priced, error: GatewayError | null, isJob: boolean): Promise<CloseResult> {
    const { attempt, cost, byok } = priced;
    const { flush } = this.#runtime;
    const { call } = this;
    const request: CloseRequest = {
      id: call.id,
      keyId: call.keyId,
      success: attempt.ok,
      markup: cost.markup,
      raw: cost.raw,
      byok,
      errorCode: error?.code ?? null,
      latencyMs: attempt.latencyMs,
    };
    if (!isJob && !this.#mayBeJob && !call.kept) return flush.closeCall(request);
    // What a later look sees: only where there can be one.
    const result = attempt.ok
      ? successOf(this.#runtime, call, attempt, priced, call.availableAfterHold)
      : errorBody(error as GatewayError, this.#requestId, this.#runtime.settings.baseUrl);
    return flush.finishCall({ error: error?.message ?? null, result: JSON.stringify(result), ...request });
  }
}

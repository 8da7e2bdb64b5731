import type { FailureCode } from '../../core/errors/skill-error';
import { guarded } from '../../kit/guarded';
import { yieldToEventLoop } from '../../kit/yield-to-event-loop';
import type { OutboundInit } from '../../platform/ports/outbound-fetch';
import { setWorkerCaller, type WorkerCaller } from '../../platform/workers/worker-callers';
import type { AnySkill } from '../../tools/sdk/define-tool';
import type { ProviderClient, SkillContext, SkillServices } from '../../tools/sdk/skill-context';
import { toLoggableError, toSkillFailure } from './attempt-failure';
import { checkOutput, checkSlowly, copyOutput } from './attempt-output';
import { createReports } from './attempt-reports';
import { AttemptStop } from './attempt-stop';

/** How long a handler may clean up after an abort before we stop waiting for it. */
const ABORT_GRACE_MS = 1000;
/** How long a cleanup request (`keepalive`) may outlive the attempt. */
const KEEPALIVE_MS = 5000;

export type Attempt =
  | { ok: true; output: Record<string, unknown>; usage: unknown; latencyMs: number }
  | { ok: false; code: FailureCode; message: string; latencyMs: number; cause?: unknown };

export interface AttemptOptions {
  input: unknown;
  deadlineMs: number;
  /** Stopped on shutdown or cancel. */
  stop?: AttemptStop | undefined;
  services: SkillServices;
  /** The account to which worker time is attributed. */
  caller?: WorkerCaller | undefined;
  onLog?: ((message: string) => void) | undefined;
  onProgress?: ((fraction: number) => void) | undefined;
  /** Called with the handler's promise when the attempt ends without waiting for it. */
  onOutlived?: ((handler: Promise<unknown>) => void) | undefined;
}

/**
 * Runs a handler. The handler is untrusted: it may hang, throw or return anything. Never throws. No
 * database transaction may be open while it runs. This is the only place that runs a tool.
 */
export async function attemptCall(skill: AnySkill, options: AttemptOptions): Promise<Attempt> {
  const started = performance.now();
  const latency = () => Math.round(performance.now() - started);
  const stop = options.stop ?? new AttemptStop();
  const deadline = setTimeout(
    guarded(() => stop.stop(new DeadlineError())),
    options.deadlineMs,
  );
  deadline.unref();
  try {
    const copied = copyOutput(await runUntilStopped(skill, options, stop));
    if (copied.ok && copied.large) await yieldToEventLoop();
    let read = copied.ok ? checkOutput(skill, copied) : copied;
    if (read.ok && skill.slowChecks)
      read = await checkSlowly(skill.slowChecks.output, read, () => getSignal(stop, options));
    return { latencyMs: latency(), ...read };
  } catch (error) {
    const chosen = toSkillFailure(error);
    return {
      ok: false,
      code: chosen?.code ?? 'HANDLER_ERROR',
      message: chosen?.message ?? describeFailure(stop, options.deadlineMs),
      latencyMs: latency(),
      cause: toLoggableError(error),
    };
  } finally {
    clearTimeout(deadline);
    stop.end();
  }
}

class DeadlineError extends Error {}

/** Rejects shortly after a stop, so a handler that ignores its signal cannot delay the call. */
function runUntilStopped(skill: AnySkill, options: AttemptOptions, stop: AttemptStop): Promise<unknown> {
  if (stop.stopped) return Promise.reject(stop.reason);
  return new Promise((resolve, reject) => {
    const handler = Promise.resolve(skill.run(new HandlerContext(options, stop)));
    handler.then(resolve, reject);
    const leave = () => {
      options.onOutlived?.(handler);
      reject(stop.reason);
    };
    stop.onStop(() => setTimeout(guarded(leave), ABORT_GRACE_MS).unref());
  });
}

/**
 * A class, because V8 gives each object literal with a getter its own hidden class, which retains
 * everything it references for a long time.
 */
class HandlerContext implements SkillContext<unknown> {
  readonly input: unknown;
  readonly fetch: SkillServices['fetch'];
  readonly log: (message: unknown) => void;
  readonly progress: (fraction: unknown) => void;
  readonly #services: SkillServices;
  readonly #stop: AttemptStop;
  readonly #options: AttemptOptions;

  constructor(options: AttemptOptions, stop: AttemptStop) {
    this.input = options.input;
    this.fetch = fetchUntilStopped(stop, options.services.fetch);
    const { log, progress } = createReports(options, () => stop.ended);
    this.log = log;
    this.progress = progress;
    this.#services = options.services;
    this.#stop = stop;
    this.#options = options;
  }

  get signal(): AbortSignal {
    return getSignal(this.#stop, this.#options);
  }

  get provider(): ProviderClient {
    const { provider } = this.#services;
    const { slot, isByok } = provider;
    return { slot, isByok: isByok, fetch: fetchUntilStopped(this.#stop, provider.fetch) };
  }

  get files(): SkillServices['files'] {
    return this.#services.files;
  }

  get browser(): SkillServices['browser'] {
    return this.#services.browser;
  }

  get checkpoint(): SkillServices['checkpoint'] {
    return this.#services.checkpoint;
  }
}

/** The signal of the attempt; work that workers do under it is the caller's. */
function getSignal({ signal }: AttemptStop, { caller }: AttemptOptions): AbortSignal {
  if (caller) setWorkerCaller(signal, caller);
  return signal;
}

/**
 * A fetch that is aborted when the attempt ends, even if the handler does not pass on its signal. A
 * request with `keepalive` may run a few seconds longer: a handler uses it to cancel work at a
 * provider.
 */
function fetchUntilStopped<Target>(
  stop: AttemptStop,
  fetch: (target: Target, init?: OutboundInit) => Promise<Response>,
): (target: Target, init?: OutboundInit) => Promise<Response> {
  return (target, init) => {
    if (!init?.keepalive) return fetch(target, Object.assign({ stop }, init));
    const end = AbortSignal.timeout(KEEPALIVE_MS);
    return fetch(target, { ...init, signal: init.signal ? AbortSignal.any([end, init.signal]) : end });
  };
}

function describeFailure(stop: AttemptStop, deadlineMs: number): string {
  if (stop.reason instanceof DeadlineError)
    return `The tool did not finish within ${deadlineMs / 1000} seconds.`;
  if (stop.stopped) return 'The call was stopped before the tool finished.';
  return 'The tool failed.';
}

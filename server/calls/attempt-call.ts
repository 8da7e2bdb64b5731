import type { AnySkill } from '../tools/define-tool';
import { SkillError } from '../tools/define-tool';
import { AttemptStop } from './attempt-stop';

/** The largest output a handler may return, as JSON. Files go to assets. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
const MAX_LOG_LINE = 2000;
/** How long after an abort a handler may still tidy up before we stop waiting for it. */
const ABORT_GRACE_MS = 1000;

export type Attempt =
  | { ok: true; output: Record<string, unknown>; usage: unknown; latencyMs: number }
  | { ok: false; message: string; latencyMs: number; cause?: unknown };

export interface AttemptOptions {
  input: unknown;
  deadlineMs: number;
  /** Aborted on shutdown or cancel. */
  signal?: AbortSignal;
  /** The same, for a caller that stops it without an AbortSignal. */
  stop?: AttemptStop;
  fetch: typeof globalThis.fetch;
  secret(slot: string): string | undefined;
  onLog?(message: string): void;
  onProgress?(fraction: number): void;
}

/**
 * Runs a handler: a stranger, who may hang, throw anything, or return anything. Never throws; no transaction is open
 * meanwhile. The one place where a tool runs.
 */
export async function attemptCall(skill: AnySkill, options: AttemptOptions): Promise<Attempt> {
  const started = performance.now();
  const latency = () => Math.round(performance.now() - started);
  const stop = options.stop ?? new AttemptStop();
  const abort = () => stop.stop(options.signal?.reason);
  options.signal?.addEventListener('abort', abort, { once: true });
  if (options.signal?.aborted) abort();
  const deadline = setTimeout(() => stop.stop(new DeadlineError()), options.deadlineMs);
  deadline.unref();
  try {
    const result: unknown = await runWithin(skill, options, stop);
    return checkResult(skill, result, latency());
  } catch (error) {
    return {
      ok: false,
      message: safeMessage(error, stop, options.deadlineMs),
      latencyMs: latency(),
      cause: error,
    };
  } finally {
    clearTimeout(deadline);
    options.signal?.removeEventListener('abort', abort);
    stop.end();
  }
}

class DeadlineError extends Error {}

/** Rejects a moment after the stop: a handler that ignores its signal is left behind. */
function runWithin(skill: AnySkill, options: AttemptOptions, stop: AttemptStop): Promise<unknown> {
  return new Promise((resolve, reject) => {
    runHandler(skill, options, stop).then(resolve, reject);
    stop.onStop(() => setTimeout(() => reject(stop.reason), ABORT_GRACE_MS).unref());
  });
}

async function runHandler(skill: AnySkill, options: AttemptOptions, stop: AttemptStop): Promise<unknown> {
  return await skill.run({
    input: options.input,
    fetch: options.fetch,
    secret: options.secret,
    log: (message) => options.onLog?.(String(message).slice(0, MAX_LOG_LINE)),
    progress: (fraction) => {
      const value = Number(fraction);
      if (Number.isFinite(value)) options.onProgress?.(Math.min(1, Math.max(0, value)));
    },
    get signal() {
      return stop.signal;
    },
  });
}

function checkResult(skill: AnySkill, result: unknown, latencyMs: number): Attempt {
  if (typeof result !== 'object' || result === null || !('output' in result))
    return { ok: false, message: 'The tool returned no output.', latencyMs };
  const { output, usage } = result as { output: unknown; usage?: unknown };
  const parsed = skill.output.safeParse(output);
  if (!parsed.success)
    return {
      ok: false,
      message: 'The tool returned something against its own schema.',
      latencyMs,
      cause: parsed.error,
    };
  if (typeof parsed.data !== 'object' || parsed.data === null || Array.isArray(parsed.data))
    return { ok: false, message: 'The tool returned something that is not an object.', latencyMs };
  const size = jsonBytes(parsed.data);
  if (size === null)
    return { ok: false, message: 'The tool returned something that is not JSON.', latencyMs };
  if (size > MAX_OUTPUT_BYTES) return { ok: false, message: 'The tool returned more than 8 MiB.', latencyMs };
  return { ok: true, output: parsed.data as Record<string, unknown>, usage, latencyMs };
}

function jsonBytes(value: object): number | null {
  try {
    return Buffer.byteLength(JSON.stringify(value));
  } catch {
    return null;
  }
}

/** SkillError speaks to the caller in words its author chose; any other text may hold anything and stays in the log. */
function safeMessage(error: unknown, stop: AttemptStop, deadlineMs: number): string {
  if (error instanceof SkillError || (error instanceof Error && error.name === 'SkillError'))
    return error.message.slice(0, 500);
  if (stop.reason instanceof DeadlineError)
    return `The tool did not finish within ${deadlineMs / 1000} seconds.`;
  if (stop.stopped) return 'The call was stopped before the tool finished.';
  return 'The tool failed.';
}

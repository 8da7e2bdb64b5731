import type { Runtime } from '../../core/runtime';
import { failureText } from '../../kit/failure-text';
import { insertRun } from './store';

interface Job {
  name: string;
  /** Null for a job that people start. */
  everySeconds: number | null;
  /** False if `claimRun` schedules it. */
  schedules?: boolean;
}

/** A run reports this way that another process does the work, or that parts of it failed. */
export type RunOutcome = { skipped: true } | { problem: string };

/** A job of a few seconds would otherwise write its row all day. */
const RECORD_EVERY_MS = 30_000;

/** What this process recorded last, by database: tests run several gateways in a process. */
const recorded = new WeakMap<object, Map<string, { at: number; ok: boolean }>>();

/**
 * Runs a background job and records the run for operators. Runs that end as the last one did are
 * recorded at most twice a minute.
 * @throws what the job throws
 */
export async function recordRun<Result>(
  { db, log }: Pick<Runtime, 'db' | 'log'>,
  job: Job,
  work: () => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  const record = async (error: string | null) => {
    const known = recorded.get(db) ?? new Map<string, { at: number; ok: boolean }>();
    recorded.set(db, known);
    const last = known.get(job.name);
    const now = performance.now();
    if (last?.ok === (error === null) && now - last.at < RECORD_EVERY_MS) return;
    const { name, everySeconds, schedules = true } = job;
    const run = { name, everySeconds, durationMs: Math.round(now - started), error };
    await insertRun(db, run, schedules).then(
      () => known.set(name, { at: now, ok: error === null }),
      (failure) => log.warn('background_job.record_failed', { job: name, error: failure }),
    );
  };
  let result: Result;
  try {
    result = await work();
  } catch (error) {
    await record(failureText(error));
    throw error;
  }
  if (!isOutcome(result, 'skipped')) await record(isOutcome(result, 'problem') ? result.problem : null);
  return result;
}

function isOutcome<Kind extends 'skipped' | 'problem'>(
  result: unknown,
  kind: Kind,
): result is Extract<RunOutcome, Record<Kind, unknown>> {
  return typeof result === 'object' && result !== null && kind in result;
}

import { availableParallelism } from 'node:os';
import { fromRoot } from '../../kit/from-root';
import { findSlotOwner, forgetCompute, spendCompute } from './compute-spending';
import { WorkerProcesses, type WorkerReports } from './worker-processes';
import { RESTART_AS_LONG, runTask, WorkerLost } from './worker-run';
import { WorkerScheduler } from './worker-scheduler';

// Processes, not threads: if an allocation fails (`zeros(1e9)` in an expression), V8 ends the whole
// process despite a thread's limits. Measured with piscina and resourceLimits.

/**
 * More than cores, so that a short task need not wait for long ones; the system shares the cores.
 */
const MAX_WORKERS = Math.min(Math.max(4 * availableParallelism(), 8), 16);
const HALF = Math.floor(MAX_WORKERS / 2);
const QUARTER = Math.floor(MAX_WORKERS / 4);
const SLOT_LIMITS = {
  total: MAX_WORKERS,
  /** Two slots are reserved for tasks that have just started. */
  long: MAX_WORKERS - 2,
  /** Still two tasks per core, so an account that is alone loses nothing. */
  perAccount: HALF,
  perRank: { paying: MAX_WORKERS + HALF, provisional: HALF, overBudget: QUARTER },
  asleep: HALF,
  waiting: 256,
};
/** The computing time of one task, without waits; the gateway's own deadline is much longer. */
const DEFAULT_TIME_LIMIT_MS = 10_000;

/** A process may end before its task starts; this many are tried. */
const MAX_ATTEMPTS = 3;

/**
 * A function of a worker module. It takes and returns JSON, except for bytes in its `bytes` field.
 */
// biome-ignore lint/suspicious/noExplicitAny: the supertype of all such functions; each use names the real one
type WorkerFunction = (payload: any, reports: WorkerReports) => unknown;

export interface WorkerOptions {
  /** Aborting it kills the worker that runs the task, or removes the task from the queue. */
  readonly signal: AbortSignal;
  /** Milliseconds of computing, from the moment the worker has loaded the module. */
  readonly timeLimitMs?: number;
  /**
   * Whether the process serves only tasks of this account afterwards, so that a caller's program
   * cannot affect another account. Work of the gateway itself ends it.
   */
  readonly isolated?: boolean;
  /** Called for each line that the function logs while it runs. */
  readonly onLog?: (message: string) => void;
  /** Called with the progress that the function reports, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

interface CpuPool {
  readonly scheduler: WorkerScheduler;
  readonly processes: WorkerProcesses;
}

const processSingleton = globalThis as typeof globalThis & { __toolGatewayCpuPool?: CpuPool | undefined };

/**
 * Runs one exported function of a plain ESM module in a worker process, so that heavy work never
 * blocks other calls. The process has none of our environment variables and a limited heap, and is
 * killed on abort and at the time limit. Under load a long task may be killed and restarted, so the
 * function must only compute. Its reports (`onLog`, `onProgress`) are passed on once it can no
 * longer be restarted: after half a second, or at its end. Slots are shared among the accounts of
 * the signals (`setWorkerCaller`). The type parameter is the function itself:
 * `runInWorker<typeof import('./compute.mjs').evaluate>(…)`.
 * @param moduleFile path of the module from the project's root; not an import, because a bundler
 *   would move it
 * @param exportName the name under which the module exports the function
 * @throws {InputError} when the task exceeds its time or memory, or its result is too large
 * @throws {SkillError} when too many tasks wait
 * @throws the signal's reason when it aborts; whatever the function throws
 */
export async function runInWorker<Run extends WorkerFunction>(
  moduleFile: string,
  exportName: string,
  payload: Parameters<Run>[0],
  options: WorkerOptions,
): Promise<Awaited<ReturnType<Run>>> {
  const pool = getPool();
  const { signal, timeLimitMs = DEFAULT_TIME_LIMIT_MS, isolated = false, onLog, onProgress } = options;
  signal.throwIfAborted();
  const reports = onLog !== undefined || onProgress !== undefined;
  const task = { file: fromRoot(moduleFile), name: exportName, payload, reports };
  const owner = findSlotOwner(signal);
  let long = false;
  for (let attempt = 1; ; ) {
    const slot = await pool.scheduler.acquire(owner, long, signal);
    const startedAt = performance.now();
    try {
      signal.throwIfAborted();
      const isolatedFor = isolated ? owner.accountId : null;
      const run = { ...pool, slot, task, demand: { fresh: attempt > 1, isolatedFor } };
      // The worker calls exactly this function, and its result is sent as JSON.
      return (await runTask(run, { signal, timeLimitMs, onLog, onProgress })) as Awaited<ReturnType<Run>>;
    } catch (error) {
      if (error === RESTART_AS_LONG) long = true;
      else if (!(error instanceof WorkerLost)) throw error;
      else if (attempt === MAX_ATTEMPTS) throw error.reason;
      else attempt += 1;
    } finally {
      spendCompute(signal, performance.now() - startedAt);
      pool.scheduler.release(slot);
    }
  }
}

/** Kills all workers; the next task starts new ones. For shutdown and tests. */
export function closeWorkers(): void {
  processSingleton.__toolGatewayCpuPool?.processes.close();
  processSingleton.__toolGatewayCpuPool = undefined;
  forgetCompute();
}

function getPool(): CpuPool {
  processSingleton.__toolGatewayCpuPool ??= {
    scheduler: new WorkerScheduler(SLOT_LIMITS),
    processes: new WorkerProcesses(MAX_WORKERS),
  };
  return processSingleton.__toolGatewayCpuPool;
}

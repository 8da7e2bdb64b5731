import { availableParallelism } from 'node:os';
import { SkillError } from './define-tool';
import { MAX_OUTPUT_BYTES, MAX_OUTPUT_VALUES } from './output-size.mjs';
import { type Place, WorkerPlaces } from './worker-places';
import {
  type Ending,
  type FromWorker,
  fromRoot,
  HEAP_LIMIT_MIB,
  MEMORY_LIMIT_MIB,
  sendTo,
  type Task,
  WorkerProcesses,
  type WorkerReports,
} from './worker-processes';

// Processes, not threads: when one allocation does not fit (`zeros(1e9)` in an expression), V8 ends the whole process,
// whatever the limits of the thread. Measured: piscina with resourceLimits took the gateway down with it.

/** More than cores, because a short task must not wait for long ones: the system shares the cores among them. */
const MAX_WORKERS = Math.min(Math.max(4 * availableParallelism(), 8), 16);
/** Two places are always with tasks that have just begun. One key's five calls fit into the rest. */
const MAX_LONG = MAX_WORKERS - 2;
const MAX_WAITING = 256;
/** From here on a task is a long one. */
const SHORT_TASK_MS = 500;
/** What one task may compute, waiting excluded; far below the gateway's own deadline, which is for slow providers. */
const DEFAULT_TIME_LIMIT_MS = 10_000;

/** For starting a process and importing a module into it: a second or two, several on a busy machine. */
const START_LIMIT_MS = 30_000;

/** A function of a worker module. It gets and gives structured-cloneable values only, and may report on the way. */
// biome-ignore lint/suspicious/noExplicitAny: the supertype of all such functions; each use names the real one
type WorkerFunction = (payload: any, reports: WorkerReports) => unknown;

export interface WorkerOptions {
  /** Aborting it kills the worker that runs the task, or takes the task out of the queue. */
  readonly signal: AbortSignal;
  /** Milliseconds of computing, from the moment a worker has its module ready. */
  readonly timeLimitMs?: number;
  /** Called for each line that the function logs while it runs. */
  readonly onLog?: (message: string) => void;
  /** Called with how far the function says it is, from 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

interface CpuPool {
  readonly places: WorkerPlaces;
  readonly processes: WorkerProcesses;
}

const slot = globalThis as typeof globalThis & { __toolGatewayCpuPool?: CpuPool };

/** Thrown inside the pool only: the task was long and had to leave its place. */
const BEGIN_AGAIN = Symbol('begin again');

/**
 * Runs one exported function of a plain ESM module in a worker process, so that heavy work never blocks other calls.
 * The process has none of our environment and a bounded heap, and is killed on abort and at the time limit. In a rush a
 * task that takes long may be killed and begun again: the function must do nothing but compute. One that is listened to
 * (`onLog`, `onProgress`) never is, because nothing may be told twice: it counts as long from its start.
 * The type parameter is the function itself: `runInWorker<typeof import('./compute.mjs').evaluate>(…)`.
 * @param moduleFile path of the module from the project's root; not an import, because a bundler would move it
 * @param exportName the name under which the module exports the function
 * @throws {SkillError} when the task exceeds its time or memory or its result is too large, or too many tasks wait
 * @throws the signal's reason when it aborts; whatever the function throws
 */
export async function runInWorker<Run extends WorkerFunction>(
  moduleFile: string,
  exportName: string,
  payload: Parameters<Run>[0],
  options: WorkerOptions,
): Promise<Awaited<ReturnType<Run>>> {
  const pool = getPool();
  options.signal.throwIfAborted();
  const reports = options.onLog !== undefined || options.onProgress !== undefined;
  const task = { file: fromRoot(moduleFile), name: exportName, payload, reports };
  for (let long = reports; ; long = true) {
    const place = await pool.places.take(long, options.signal);
    try {
      options.signal.throwIfAborted();
      // The worker calls exactly this function; what it returns crosses as a structured clone.
      return (await runTask(pool, place, task, options)) as Awaited<ReturnType<Run>>;
    } catch (error) {
      if (error !== BEGIN_AGAIN) throw error;
    } finally {
      pool.places.leave(place);
    }
  }
}

/** Kills all workers; the next task starts new ones. For the shutdown and for tests. */
export function closeWorkers(): void {
  slot.__toolGatewayCpuPool?.processes.close();
  slot.__toolGatewayCpuPool = undefined;
}

function getPool(): CpuPool {
  slot.__toolGatewayCpuPool ??= {
    places: new WorkerPlaces({ total: MAX_WORKERS, long: MAX_LONG, waiting: MAX_WAITING }),
    processes: new WorkerProcesses(MAX_WORKERS),
  };
  return slot.__toolGatewayCpuPool;
}

async function runTask(
  { places, processes }: CpuPool,
  place: Place,
  task: Task,
  { signal, timeLimitMs = DEFAULT_TIME_LIMIT_MS, onLog, onProgress }: WorkerOptions,
): Promise<unknown> {
  const child = await processes.take(task.file);
  if (signal.aborted) {
    processes.put(child);
    throw signal.reason;
  }
  return await new Promise((resolve, reject) => {
    const end = () => {
      for (const timer of timers) clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      child.off('message', onMessage).off('exit', onExit);
    };
    const kill = (reason: unknown) => {
      end();
      child.kill('SIGKILL');
      reject(reason);
    };
    const onAbort = () => kill(signal.reason);
    const onExit = (_: unknown, by: NodeJS.Signals | null) =>
      kill(tooMuch(`${by === 'SIGKILL' ? MEMORY_LIMIT_MIB : HEAP_LIMIT_MIB} MiB of memory`));
    const onMessage = (answer: FromWorker) => {
      if (answer.kind === 'ready') return;
      if (answer.kind === 'begun') return begin();
      if (answer.kind === 'log') return onLog?.(answer.message);
      if (answer.kind === 'progress') return onProgress?.(answer.fraction);
      end();
      if (answer.grown) child.kill('SIGKILL');
      else processes.put(child);
      settle(answer, resolve, reject);
    };
    const begin = () => {
      clearTimeout(timers.pop());
      timers.push(
        setTimeout(() => kill(tooMuch(`${timeLimitMs / 1000} s of computing`)), timeLimitMs),
        setTimeout(() => places.becomeLong(place) || kill(BEGIN_AGAIN), SHORT_TASK_MS),
      );
    };
    const timers = [setTimeout(() => kill(new Error('A worker did not begin')), START_LIMIT_MS)];
    signal.addEventListener('abort', onAbort, { once: true });
    child.on('message', onMessage).on('exit', onExit);
    sendTo(child, { task }, kill);
  });
}

function settle(answer: Ending, resolve: (value: unknown) => void, reject: (reason: unknown) => void): void {
  if (answer.kind === 'value') resolve(answer.value);
  else if (answer.kind === 'failure') reject(new Error(answer.message));
  else reject(new SkillError(`The result ${TOO_LARGE}. Ask for a part of it, or make the input smaller.`));
}

const TOO_LARGE = `has more than ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB or ${MAX_OUTPUT_VALUES} values`;

function tooMuch(limit: string): SkillError {
  return new SkillError(`This needs more than ${limit}. Make the input smaller.`);
}

import { availableParallelism } from 'node:os';
import path from 'node:path';
import type { Piscina } from 'piscina';
import { SkillError } from './define-tool';

/** Two at least, so that one runaway call cannot hold up every other. */
const MAX_THREADS = Math.min(Math.max(availableParallelism(), 2), 8);
/** Tasks that may wait for a thread; more are refused, so that a flood ends in quick answers and not in memory. */
const MAX_WAITING = 256;
/** What one task may compute, waiting excluded; far below the gateway's own deadline, which is for slow providers. */
const DEFAULT_TIME_LIMIT_MS = 10_000;
/** JavaScript heap of one thread, in MiB. mathjs itself takes about 40. */
const HEAP_LIMIT_MIB = 256;
/** Threads stay for a quarter of an hour without work: importing mathjs anew costs more than a second. */
const IDLE_TIMEOUT_MS = 900_000;

/** A function of a worker module. It gets and gives structured-cloneable values only. */
// biome-ignore lint/suspicious/noExplicitAny: the supertype of all functions of one parameter; each use names the real one
type WorkerFunction = (payload: any) => unknown;

export interface WorkerOptions {
  /** Aborting it kills the thread that runs the task, or takes the task out of the queue. */
  readonly signal: AbortSignal;
  /** Milliseconds of computing, from the moment a thread is free. */
  readonly timeLimitMs?: number;
}

interface CpuPool {
  readonly threads: Promise<Piscina>;
  /** Tasks handed to a thread and not ended. */
  running: number;
  readonly waiting: Set<() => void>;
}

const slot = globalThis as typeof globalThis & { __toolGatewayCpuPool?: CpuPool };

/**
 * Runs one exported function of a plain ESM module in a worker thread, so that heavy work never blocks other calls.
 * The thread has no environment variables and a bounded heap, and is killed on abort and at the time limit.
 * The type parameter is the function itself: `runInWorker<typeof import('./compute.mjs').evaluate>(…)`.
 * @param moduleFile path of the module from the project's root; not an import, because a bundler would move it
 * @param exportName the name under which the module exports the function
 * @throws {SkillError} when the task exceeds its time or memory, or too many tasks wait
 * @throws the signal's reason when it aborts; whatever the function throws
 */
export async function runInWorker<Run extends WorkerFunction>(
  moduleFile: string,
  exportName: string,
  payload: Parameters<Run>[0],
  options: WorkerOptions,
): Promise<Awaited<ReturnType<Run>>> {
  options.signal.throwIfAborted();
  const pool = getPool();
  if (pool.running >= MAX_THREADS) await waitForThread(pool, options.signal);
  else pool.running += 1;
  try {
    return await runTask<Run>(pool, moduleFile, exportName, payload, options);
  } finally {
    releaseThread(pool);
  }
}

/** Stops all threads; the next task starts a new pool. For the shutdown and for tests. */
export async function closeWorkers(): Promise<void> {
  const pool = slot.__toolGatewayCpuPool;
  slot.__toolGatewayCpuPool = undefined;
  if (pool) await (await pool.threads).destroy();
}

function getPool(): CpuPool {
  slot.__toolGatewayCpuPool ??= { threads: startThreads(), running: 0, waiting: new Set() };
  return slot.__toolGatewayCpuPool;
}

async function startThreads(): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  const threads = new Piscina({
    minThreads: 1,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_TIMEOUT_MS,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MIB },
    // Should an expression ever escape its sandbox, there is no secret in its environment; and no loader of the
    // parent (tsx, a debugger) is started in each thread.
    env: {},
    execArgv: [],
  });
  // A thread that dies between tasks is replaced; without a listener the event would end the process.
  threads.on('error', (error) => console.error('worker thread failed', error));
  return threads;
}

async function runTask<Run extends WorkerFunction>(
  pool: CpuPool,
  moduleFile: string,
  exportName: string,
  payload: Parameters<Run>[0],
  { signal, timeLimitMs = DEFAULT_TIME_LIMIT_MS }: WorkerOptions,
): Promise<Awaited<ReturnType<Run>>> {
  const threads = await pool.threads;
  // Our own controller instead of AbortSignal.any: Node 20 leaks the sources of combined signals.
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  signal.addEventListener('abort', onAbort, { once: true });
  const timer = setTimeout(() => stop.abort(), timeLimitMs);
  try {
    signal.throwIfAborted();
    return await threads.run(payload, {
      filename: path.join(/* turbopackIgnore: true */ process.cwd(), moduleFile),
      name: exportName,
      signal: stop.signal,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (stop.signal.aborted) {
      throw new SkillError(
        `This needs more than ${timeLimitMs / 1000} s of computing. Make the input smaller.`,
      );
    }
    if (isOutOfMemory(error)) {
      throw new SkillError(`This needs more than ${HEAP_LIMIT_MIB} MiB of memory. Make the input smaller.`);
    }
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Waits in order for a thread. Piscina has a queue too, but does not tell when a task leaves it. */
function waitForThread(pool: CpuPool, signal: AbortSignal): Promise<void> {
  if (pool.waiting.size >= MAX_WAITING) {
    throw new SkillError('Too many calculations are waiting. Try again in a few seconds.');
  }
  return new Promise((resolve, reject) => {
    const start = () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = () => {
      pool.waiting.delete(start);
      reject(signal.reason);
    };
    pool.waiting.add(start);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Hands the thread to who waits longest; `running` stays as it is then. */
function releaseThread(pool: CpuPool): void {
  const next = pool.waiting.values().next().value;
  if (!next) {
    pool.running -= 1;
    return;
  }
  pool.waiting.delete(next);
  next();
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

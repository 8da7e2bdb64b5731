import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { SkillError } from './define-tool';

// Processes, not threads: when one allocation does not fit (`zeros(1e9)` in an expression), V8 ends the whole process,
// whatever the limits of the thread. Measured: piscina with resourceLimits took the gateway down with it.

/** Two at least, so that one runaway call cannot hold up every other. */
const MAX_WORKERS = Math.min(Math.max(availableParallelism(), 2), 8);
/** Tasks that may wait for a worker; more are refused, so that a flood ends in quick answers and not in memory. */
const MAX_WAITING = 256;
/** What one task may compute, waiting excluded; far below the gateway's own deadline, which is for slow providers. */
const DEFAULT_TIME_LIMIT_MS = 10_000;
/** JavaScript heap of one worker, in MiB. mathjs itself takes about 40. */
const HEAP_LIMIT_MIB = 256;
/** Workers stay for a quarter of an hour without work: importing mathjs anew costs more than a second. */
const IDLE_TIMEOUT_MS = 900_000;
/** From the project's root, as a path: a bundler must not move it. */
const WORKER_FILE = 'server/tools/cpu-worker.mjs';

/** A function of a worker module. It gets and gives structured-cloneable values only. */
// biome-ignore lint/suspicious/noExplicitAny: the supertype of all functions of one parameter; each use names the real one
type WorkerFunction = (payload: any) => unknown;

export interface WorkerOptions {
  /** Aborting it kills the worker that runs the task, or takes the task out of the queue. */
  readonly signal: AbortSignal;
  /** Milliseconds of computing, from the moment a worker is free. */
  readonly timeLimitMs?: number;
}

interface CpuPool {
  /** Those without a task, the one used last at the end: it has the modules loaded that are wanted most. */
  readonly idle: { child: ChildProcess; retire: NodeJS.Timeout }[];
  readonly all: Set<ChildProcess>;
  /** Tasks handed to a worker and not ended. */
  running: number;
  readonly waiting: Set<() => void>;
}

/** What cpu-worker.mjs sends back. */
type Answer = { ok: true; value: unknown } | { ok: false; message: string };

const slot = globalThis as typeof globalThis & { __toolGatewayCpuPool?: CpuPool };

/**
 * Runs one exported function of a plain ESM module in a worker process, so that heavy work never blocks other calls.
 * The process has none of our environment and a bounded heap, and is killed on abort and at the time limit.
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
  if (pool.running >= MAX_WORKERS) await waitForWorker(pool, options.signal);
  else pool.running += 1;
  try {
    options.signal.throwIfAborted();
    const task = { file: fromRoot(moduleFile), name: exportName, payload };
    // The worker calls exactly this function; what it returns crosses as a structured clone.
    return (await runTask(pool, task, options)) as Awaited<ReturnType<Run>>;
  } finally {
    releaseWorker(pool);
  }
}

/** Kills all workers; the next task starts new ones. For the shutdown and for tests. */
export function closeWorkers(): void {
  const pool = slot.__toolGatewayCpuPool;
  slot.__toolGatewayCpuPool = undefined;
  for (const { retire } of pool?.idle ?? []) clearTimeout(retire);
  for (const child of pool?.all ?? []) child.kill('SIGKILL');
}

function getPool(): CpuPool {
  slot.__toolGatewayCpuPool ??= { idle: [], all: new Set(), running: 0, waiting: new Set() };
  return slot.__toolGatewayCpuPool;
}

function fromRoot(file: string): string {
  return path.join(/* turbopackIgnore: true */ process.cwd(), file);
}

function startWorker(pool: CpuPool): ChildProcess {
  const child = fork(/* turbopackIgnore: true */ fromRoot(WORKER_FILE), [String(process.pid)], {
    // Should an expression ever escape its sandbox, it finds no secret in its environment; and no loader of the parent
    // (tsx, a debugger) is started in each worker.
    env: { NODE_ENV: 'production' },
    execArgv: [`--max-old-space-size=${HEAP_LIMIT_MIB}`],
    serialization: 'advanced',
    // A heap that is full would print its death to our log, pages of it, at every caller's wish.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  pool.all.add(child);
  child.once('exit', () => {
    pool.all.delete(child);
    takeIdle(pool, child);
  });
  // Without a listener a worker that cannot be started would end the gateway; its task ends by 'exit' or the limit.
  child.on('error', (error) => console.error('worker process failed', error));
  return child;
}

/** Takes an idle worker out of the pool: a certain one, or the one used last. */
function takeIdle(pool: CpuPool, child?: ChildProcess): ChildProcess | undefined {
  const at = child ? pool.idle.findIndex((idle) => idle.child === child) : pool.idle.length - 1;
  const [taken] = at < 0 ? [] : pool.idle.splice(at, 1);
  clearTimeout(taken?.retire);
  return taken?.child;
}

/** Keeps a worker for the next task, without keeping the gateway's process alive for it. */
function putIdle(pool: CpuPool, child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  const retire = setTimeout(() => child.kill('SIGKILL'), IDLE_TIMEOUT_MS).unref();
  pool.idle.push({ child, retire });
}

function runTask(
  pool: CpuPool,
  task: { file: string; name: string; payload: unknown },
  { signal, timeLimitMs = DEFAULT_TIME_LIMIT_MS }: WorkerOptions,
): Promise<unknown> {
  const child = takeIdle(pool) ?? startWorker(pool);
  child.ref();
  child.channel?.ref();
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      child.off('message', onMessage).off('exit', onExit);
    };
    const kill = (reason: unknown) => {
      end();
      child.kill('SIGKILL');
      reject(reason);
    };
    const onAbort = () => kill(signal.reason);
    const onExit = () => kill(tooMuch(`${HEAP_LIMIT_MIB} MiB of memory`));
    const onMessage = (answer: Answer) => {
      end();
      putIdle(pool, child);
      if (answer.ok) resolve(answer.value);
      else reject(new Error(answer.message));
    };
    const timer = setTimeout(() => kill(tooMuch(`${timeLimitMs / 1000} s of computing`)), timeLimitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    child.on('message', onMessage).on('exit', onExit);
    child.send(task, (error) => error && kill(error));
  });
}

function tooMuch(limit: string): SkillError {
  return new SkillError(`This needs more than ${limit}. Make the input smaller.`);
}

/** Waits in order for a worker to become free. */
function waitForWorker(pool: CpuPool, signal: AbortSignal): Promise<void> {
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

/** Hands the worker to who waits longest; `running` stays as it is then. */
function releaseWorker(pool: CpuPool): void {
  const next = pool.waiting.values().next().value;
  if (!next) {
    pool.running -= 1;
    return;
  }
  pool.waiting.delete(next);
  next();
}

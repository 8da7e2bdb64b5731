import { InputError, SkillError } from '../../core/errors/skill-error';
import { guarded } from '../../kit/guarded';
import { MAX_OUTPUT_DEPTH, OUTPUT_LIMITS } from '../../kit/output-size.mjs';
import { readEndSignal } from '../confinement/confinement';
import { ComputeLimit } from './compute-limit';
import type { Ending, FromWorker, Task } from './worker-channel';
import {
  endWorker,
  HEAP_LIMIT_MIB,
  MEMORY_LIMIT_MIB,
  type WorkerDemand,
  type WorkerProcess,
  type WorkerProcesses,
} from './worker-processes';
import type { ComputeSlot, WorkerScheduler } from './worker-scheduler';

/** After this time a task counts as long. */
export const SHORT_TASK_MS = 500;
/** For starting a process and importing a module, which takes a second or two. */
const START_LIMIT_MS = 30_000;

/** Thrown only to `runInWorker`: the long task had to give up its slot. */
export const RESTART_AS_LONG = Symbol('begin again');

/** Thrown only to `runInWorker`: the process ended, perhaps because of an earlier task. */
export class WorkerLost {
  /** The error for the caller if the task is not retried. */
  readonly reason: Error;

  constructor(reason: Error) {
    this.reason = reason;
  }
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Milliseconds of computing, from the moment the worker has loaded the module. */
  readonly timeLimitMs: number;
  readonly onLog?: ((message: string) => void) | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

interface Run {
  readonly scheduler: WorkerScheduler;
  readonly processes: WorkerProcesses;
  readonly slot: ComputeSlot;
  readonly task: Task;
  readonly demand: WorkerDemand;
}

/** Runs a task once in one worker, then returns the worker to the pool or ends it. */
export async function runTask(
  { scheduler, processes, slot, task, demand }: Run,
  options: RunOptions,
): Promise<unknown> {
  const worker = await processes.take(task.file, demand);
  if (options.signal.aborted) {
    processes.put(worker);
    throw options.signal.reason;
  }
  return await new Promise((resolve, reject) => {
    const { signal, timeLimitMs } = options;
    const { child, channel } = worker;
    const reports = new BufferedReports(options);
    const usedBefore = worker.tasks > 0;
    let started = false;
    const end = () => {
      limit.stop();
      clearTimeout(long);
      signal.removeEventListener('abort', onAbort);
      channel.listen(undefined);
      child.off('exit', onExit);
    };
    const kill = (reason: unknown) => {
      end();
      endWorker(worker);
      reject(reason);
    };
    const onAbort = () => kill(signal.reason);
    const onExit = guarded((code: number | null, by: NodeJS.Signals | null) => {
      end();
      const passed = findMemoryLimit(code, by);
      if (passed !== null && started) return reject(createLimitError(`${passed} MiB of memory`));
      const ended = new SkillError(ENDED);
      reject(!started || (usedBefore && !reports.passed) ? new WorkerLost(ended) : ended);
    });
    const onEnd = (ending: Ending, reusable: boolean) => {
      end();
      if (reusable) processes.put(worker);
      else endWorker(worker);
      const mayBegin = ending.kind === 'stray' && usedBefore && !reports.passed;
      if (!mayBegin) reports.pass();
      settle(ending, resolve, mayBegin ? (reason: Error) => reject(new WorkerLost(reason)) : reject);
    };
    const onLong = guarded(() => (scheduler.markLong(slot) ? reports.pass() : kill(RESTART_AS_LONG)));
    const begin = () => {
      started = true;
      limit.stop();
      limit = new ComputeLimit(pid, timeLimitMs, () =>
        kill(createLimitError(`${timeLimitMs / 1000} s of computing`)),
      );
      long = setTimeout(onLong, SHORT_TASK_MS);
    };
    const onMessage = (message: FromWorker) => {
      if (message.kind === 'ended') onEnd(message.ending, message.reusable);
      else if (message.kind === 'started' && !started) begin();
      else if (message.kind === 'log') reports.log(message.message);
      else if (message.kind === 'progress') reports.progress(message.fraction);
      else if (message.kind === 'asleep') scheduler.sleep(slot);
      else if (message.kind === 'awake') scheduler.wake(slot);
      else throw new Error(`"${message.kind}" at this point`);
    };
    // 0 if the process could not be started; it then has no waits to read.
    const pid = child.pid ?? 0;
    let long: NodeJS.Timeout | undefined;
    let limit = new ComputeLimit(pid, START_LIMIT_MS, () => kill(new Error('A worker did not begin')));
    signal.addEventListener('abort', onAbort, { once: true });
    child.on('exit', onExit);
    channel.listen(onMessage);
    send(worker, task, kill);
  });
}

function send(worker: WorkerProcess, task: Task, kill: (reason: unknown) => void): void {
  worker.tasks += 1;
  try {
    worker.channel.sendTask(task);
  } catch (error) {
    // The payload is not JSON, or too deep.
    kill(error);
  }
}

/** Buffers reports until the task can no longer be restarted, so that none is sent twice. */
class BufferedReports {
  readonly #options: RunOptions;
  readonly #held: (() => void)[] = [];
  /** Whether any report was sent to the caller. */
  passed = false;
  #direct = false;

  constructor(options: RunOptions) {
    this.#options = options;
  }

  log(message: string): void {
    this.#report(() => this.#options.onLog?.(message));
  }

  progress(fraction: number): void {
    this.#report(() => this.#options.onProgress?.(fraction));
  }

  pass(): void {
    this.#direct = true;
    for (const report of this.#held.splice(0)) this.#report(report);
  }

  #report(report: () => void): void {
    if (!this.#direct) {
      this.#held.push(report);
      return;
    }
    this.passed = true;
    try {
      report();
    } catch (error) {
      console.error('worker.report_failed', error);
    }
  }
}

/** The memory limit in MiB that ended a process; null if something else did. */
function findMemoryLimit(code: number | null, by: NodeJS.Signals | null): number | null {
  const signal = readEndSignal(code, by);
  if (signal === 'SIGABRT') return HEAP_LIMIT_MIB;
  return signal === 'SIGUSR2' ? MEMORY_LIMIT_MIB : null;
}

const ENDED = "The tool's process ended unexpectedly. Try again.";
const TOO_LARGE = `has more than ${OUTPUT_LIMITS}`;
const TOO_DEEP = `is nested deeper than ${MAX_OUTPUT_DEPTH} levels`;

function settle(ending: Ending, resolve: (value: unknown) => void, reject: (reason: Error) => void): void {
  if (ending.kind === 'value') resolve(ending.value);
  else if (ending.kind === 'failure' || ending.kind === 'stray') reject(new Error(ending.message));
  else {
    const fault = ending.kind === 'tooDeep' ? TOO_DEEP : TOO_LARGE;
    reject(new InputError(`The result ${fault}. Request less, or make the input smaller.`));
  }
}

function createLimitError(limit: string): InputError {
  return new InputError(`This needs more than ${limit}. Make the input smaller.`);
}

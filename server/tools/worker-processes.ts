import { type ChildProcess, fork } from 'node:child_process';
import { setPriority } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** JavaScript heap of one worker, in MiB. An idle one with all modules has 40 MB that it shares with nobody. */
export const HEAP_LIMIT_MIB = 256;
/** All memory of one worker, with that of native libraries: a task that needs more is ended by its worker's watchdog. */
export const MEMORY_LIMIT_MIB = 1_024;
/** Workers that stay for long without work: one for the next task, and the spare one for the task after it. */
const WARM_WORKERS = 2;
const WARM_IDLE_MS = 900_000;
/** The others, made for a rush, give their memory back soon. */
const EXTRA_IDLE_MS = 30_000;
/** Forking blocks the gateway's thread: 1 ms, and 4 more for each 100 MB that it has. So one process at a time. */
const START_GAP_MS = 20;
/** How long there must have been no idle worker before a spare is started: short tasks alone need none. */
const SPARE_DELAY_MS = 250;
/** A spare that has not imported its modules by then is given up. */
const SPARE_LIMIT_MS = 60_000;
/** Below the gateway and PostgreSQL, but above workers that compute: a spare must be ready soon, also in a rush. */
const START_NICENESS = 5;
/** From the project's root, as a path: a bundler must not move it. */
const WORKER_FILE = 'server/tools/cpu-worker.mjs';

export interface Task {
  readonly file: string;
  readonly name: string;
  readonly payload: unknown;
  /** Whether somebody listens to its log and progress. */
  readonly reports: boolean;
}

/** The second argument of a worker's function. What is reported after it has ended goes nowhere. */
export interface WorkerReports {
  /** A line for the caller; a thousand of them are passed on, each cut at 2,000 characters. */
  log(message: string): void;
  /** How far it is, from 0 to 1; passed on ten times a second at most. */
  progress(fraction: number): void;
}

/** What a worker is sent: a task, or the modules it will probably need. */
export type ToWorker = { task: Task } | { preload: string[] };

/**
 * What it answers. `begun` comes first: the time of a task is counted from there, without start and import. Reports are
 * sent where the task wants them. With the end comes whether the process has `grown` too large to be used again.
 */
export type FromWorker =
  | ({ grown?: boolean } & Ending)
  | { kind: 'log'; message: string }
  | { kind: 'progress'; fraction: number }
  | { kind: 'begun' }
  | { kind: 'ready' };

/** How a task ends. */
export type Ending =
  | { kind: 'value'; value: unknown }
  | { kind: 'failure'; message: string }
  | { kind: 'tooLarge' };

/** The processes of the pool: busy ones, idle ones, and a spare that is made ready while all others are busy. */
export class WorkerProcesses {
  readonly #max: number;
  /** The one used last at the end: it has the modules loaded that are wanted most. */
  readonly #idle: { child: ChildProcess; retire: NodeJS.Timeout }[] = [];
  readonly #all = new Set<ChildProcess>();
  /** Modules that tasks have asked for; a spare imports them before it is needed. */
  readonly #modules = new Set<string>();
  /** Ends when the next process may be started. */
  #turn: Promise<unknown> = Promise.resolve();
  #spareTimer: NodeJS.Timeout | undefined;
  #spare: ChildProcess | undefined;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many wait for a task, with their modules imported. */
  get ready(): number {
    return this.#idle.length;
  }

  /** A worker for a task that needs a module: an idle one, or a new one. */
  async take(moduleFile: string): Promise<ChildProcess> {
    this.#modules.add(moduleFile);
    const child = this.#takeIdle() ?? (await this.#startInTurn());
    child.ref();
    child.channel?.ref();
    if (this.#idle.length === 0)
      this.#spareTimer ??= setTimeout(() => this.#startSpare(), SPARE_DELAY_MS).unref();
    return child;
  }

  /** Keeps a worker for the next task, without keeping the gateway's process alive for it. */
  put(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
    const idleMs = this.#idle.length < WARM_WORKERS ? WARM_IDLE_MS : EXTRA_IDLE_MS;
    const retire = setTimeout(() => {
      // First: from here on nobody may be given it.
      this.#forget(child);
      child.kill('SIGKILL');
    }, idleMs).unref();
    this.#idle.push({ child, retire });
  }

  /** Kills all of them. */
  close(): void {
    clearTimeout(this.#spareTimer);
    for (const { retire } of this.#idle) clearTimeout(retire);
    for (const child of this.#all) child.kill('SIGKILL');
  }

  #takeIdle(): ChildProcess | undefined {
    const idle = this.#idle.pop();
    clearTimeout(idle?.retire);
    return idle?.child;
  }

  async #startInTurn(): Promise<ChildProcess> {
    const turn = this.#turn;
    this.#turn = turn.then(() => wait(START_GAP_MS));
    await turn;
    return this.#takeIdle() ?? this.#start();
  }

  #start(): ChildProcess {
    const child = fork(
      /* turbopackIgnore: true */ fromRoot(WORKER_FILE),
      [String(process.pid), String(MEMORY_LIMIT_MIB)],
      {
        // Should an expression ever escape its sandbox, it finds no secret in its environment; and no loader of the parent
        // (tsx, a debugger) is started in each worker.
        env: { NODE_ENV: 'production' },
        execArgv: [`--max-old-space-size=${HEAP_LIMIT_MIB}`],
        serialization: 'advanced',
        // A heap that is full would print its death to our log, pages of it, at every caller's wish.
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    );
    lowerPriority(child);
    this.#all.add(child);
    child.once('exit', () => this.#forget(child));
    // Without a listener a worker that cannot be started would end the gateway; its task ends by 'exit' or the limit of time.
    child.on('error', (error) => {
      console.error('worker process failed', error);
      // One that could not be started has no 'exit'.
      if (child.pid === undefined) this.#forget(child);
    });
    return child;
  }

  #startSpare(): void {
    this.#spareTimer = undefined;
    if (this.#idle.length > 0 || this.#spare || this.#all.size >= this.#max) return;
    const child = this.#start();
    this.#spare = child;
    child.unref();
    child.channel?.unref();
    const giveUp = setTimeout(() => child.kill('SIGKILL'), SPARE_LIMIT_MS).unref();
    const onMessage = ({ kind }: FromWorker) => {
      if (kind !== 'ready') return;
      clearTimeout(giveUp);
      child.off('message', onMessage);
      this.#spare = undefined;
      this.put(child);
    };
    child.on('message', onMessage);
    child.once('exit', () => clearTimeout(giveUp));
    sendTo(child, { preload: [...this.#modules] });
  }

  #forget(child: ChildProcess): void {
    this.#all.delete(child);
    if (this.#spare === child) this.#spare = undefined;
    const at = this.#idle.findIndex((idle) => idle.child === child);
    if (at < 0) return;
    clearTimeout(this.#idle[at]?.retire);
    this.#idle.splice(at, 1);
  }
}

/** Sends; does not throw where the process is gone: what cannot be sent is told to `onError`, where there is one, else found by 'exit'. */
export function sendTo(child: ChildProcess, message: ToWorker, onError?: (error: Error) => void): void {
  child.send(message, (error) => error && onError?.(error));
}

export function fromRoot(file: string): string {
  return path.join(/* turbopackIgnore: true */ process.cwd(), file);
}

/** Right after the start, so that the threads which the process is about to make inherit it. */
function lowerPriority(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) setPriority(child.pid, START_NICENESS);
  } catch {
    // Gone already, or a system without priorities.
  }
}

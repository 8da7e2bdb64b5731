import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';
import { type Confinement, confineNode, findConfinement, sharesProcesses } from '../confinement/confinement';
import { killGroup } from '../confinement/kill-group';
import { getScratchFolders } from '../confinement/places';
import { getStartNiceness, getWorkerNiceness, runNice } from '../confinement/run-nice';
import { workerSandbox } from '../confinement/sandboxes';
import { CLOSED, WorkerChannel } from './worker-channel';

/**
 * JavaScript heap of one worker, in MiB. An idle one with all modules has 40 MB that it shares with
 * nobody.
 */
export const HEAP_LIMIT_MIB = 256;
/**
 * All memory of one worker, with that of native libraries: a task that needs more is ended by its
 * worker's watchdog.
 */
export const MEMORY_LIMIT_MIB = 1_024;
/**
 * Workers that stay for long without work: one for the next task, and the spare one for the task
 * after it.
 */
const WARM_WORKERS = 2;
const WARM_IDLE_MS = 900_000;
/** The others, made for a rush, give their memory back soon. */
const EXTRA_IDLE_MS = 30_000;
/**
 * Forking blocks the gateway's thread: 1 ms, and 4 more for each 100 MB that it has. So one process
 * at a time.
 */
const START_GAP_MS = 20;
/**
 * How long there must have been no idle worker before a spare is started: short tasks alone need
 * none.
 */
const SPARE_DELAY_MS = 250;
/** A spare that has not imported its modules by then is given up. */
const SPARE_LIMIT_MS = 60_000;
/** Number of the pipe in the worker; cpu-worker.mjs reads it there. */
const CHANNEL_FD = 3;
/** From a worker's closing of the channel to its end. */
const CLOSED_GRACE_MS = 1_000;
/** From the project's root, as a path: a bundler must not move it. */
const WORKER_FILE = 'server/platform/workers/cpu-worker.mjs';

/** The second argument of a worker's function. What is reported after it has ended goes nowhere. */
export interface WorkerReports {
  /** A line for the caller; a thousand of them are passed on, each cut at 2,000 characters. */
  log(message: string): void;
  /** How far it is, from 0 to 1; passed on ten times a second at most. */
  progress(fraction: number): void;
  /** Waits; its place may go to another task until then. */
  sleep(ms: number): Promise<void>;
}

/** A process of the pool, with the pipe to it. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly channel: WorkerChannel;
  /**
   * The folders that it was given when it started; with others it would not find the files of a
   * task.
   */
  readonly scratch: string;
  /** Tasks that it has been given. */
  tasks: number;
}

/**
 * The processes of the pool: busy ones, idle ones, and a spare that is made ready while all others
 * are busy.
 */
export class WorkerProcesses {
  readonly #max: number;
  /** The one used last at the end: it has the modules loaded that are wanted most. */
  readonly #idle: { worker: WorkerProcess; retire: NodeJS.Timeout }[] = [];
  readonly #all = new Set<WorkerProcess>();
  /** Modules that tasks have asked for; a spare imports them before it is needed. */
  readonly #modules = new Set<string>();
  /** Ends when the next process may be started. */
  #turn: Promise<unknown> = Promise.resolve();
  #spareTimer: NodeJS.Timeout | undefined;
  #spare: WorkerProcess | undefined;
  #confinement: Confinement | undefined;
  #closed = false;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many wait for a task, with their modules imported. */
  get ready(): number {
    return this.#idle.length;
  }

  /**
   * A worker for a task that needs a module: an idle one, or a new one.
   * @param fresh whether it must be one that no task was run in
   * @throws where no process can be started, and after `close`
   */
  async take(moduleFile: string, fresh = false): Promise<WorkerProcess> {
    if (this.#closed) throw new Error('The workers have been closed');
    this.#modules.add(moduleFile);
    this.#confinement ??= await findConfinement();
    const worker = this.#takeIdle(fresh) ?? (await this.#startInTurn(fresh, this.#confinement));
    worker.child.ref();
    pipeOf(worker.child)?.ref();
    if (this.#idle.length === 0)
      this.#spareTimer ??= setTimeout(
        guarded(() => this.#startSpare()),
        SPARE_DELAY_MS,
      ).unref();
    return worker;
  }

  /** Keeps a worker for the next task, without keeping the gateway's process alive for it. */
  put(worker: WorkerProcess): void {
    if (!this.#all.has(worker)) return;
    if (worker.scratch !== scratchKey()) {
      endWorker(worker);
      return;
    }
    unref(worker.child);
    const idleMs = this.#idle.length < WARM_WORKERS ? WARM_IDLE_MS : EXTRA_IDLE_MS;
    const onIdle = guarded(() => {
      // First: from here on no task may be given it.
      this.#forget(worker);
      endWorker(worker);
    });
    const retire = setTimeout(onIdle, idleMs).unref();
    this.#idle.push({ worker, retire });
  }

  /** Kills all of them. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#spareTimer);
    for (const { retire } of this.#idle) clearTimeout(retire);
    for (const worker of this.#all) endWorker(worker);
  }

  #takeIdle(fresh: boolean): WorkerProcess | undefined {
    const scratch = scratchKey();
    for (const { worker, retire } of [...this.#idle]) {
      if (worker.scratch === scratch) continue;
      clearTimeout(retire);
      this.#forget(worker);
      endWorker(worker);
    }
    const at = fresh ? this.#idle.findLastIndex(({ worker }) => worker.tasks === 0) : this.#idle.length - 1;
    const [idle] = at < 0 ? [] : this.#idle.splice(at, 1);
    clearTimeout(idle?.retire);
    return idle?.worker;
  }

  async #startInTurn(fresh: boolean, confinement: Confinement): Promise<WorkerProcess> {
    const turn = this.#turn;
    this.#turn = turn.then(() => wait(START_GAP_MS));
    await turn;
    return this.#takeIdle(fresh) ?? this.#start(confinement);
  }

  /** @throws where the system gives us no process or no pipe */
  #start(confinement: Confinement): WorkerProcess {
    // Also here: the pool may have been closed while a task waited for its turn.
    if (this.#closed) throw new Error('The workers have been closed');
    const scratch = scratchKey();
    const child = spawnWorker(confinement);
    let worker: WorkerProcess | undefined;
    // Without a listener a worker that cannot be started would end the gateway; its task ends by
    // 'exit' or its time.
    const onError = guarded((error: Error) => {
      console.error('worker process failed', error);
      // One that could not be started has no 'exit'.
      if (child.pid === undefined && worker) this.#forget(worker);
    });
    child.on('error', onError);
    const pipe = pipeOf(child);
    if (!pipe) throw new Error('A worker process could not be started');
    const channel = new WorkerChannel(pipe, (why) => {
      if (worker) this.#forget(worker);
      if (why !== CLOSED) console.error('worker process broke its protocol', why);
      // One that is about to end by itself says by its 'exit' what ended it.
      const kill = guarded(() => killGroup(child));
      if (why === CLOSED) setTimeout(kill, CLOSED_GRACE_MS).unref();
      else kill();
    });
    const started: WorkerProcess = { child, channel, scratch, tasks: 0 };
    worker = started;
    this.#all.add(started);
    child.once(
      'exit',
      guarded(() => this.#forget(started)),
    );
    return started;
  }

  #startSpare(): void {
    this.#spareTimer = undefined;
    if (this.#idle.length > 0 || this.#spare || this.#all.size >= this.#max) return;
    if (!this.#confinement) return;
    let worker: WorkerProcess;
    try {
      worker = this.#start(this.#confinement);
    } catch (error) {
      console.error('spare worker process failed', error);
      return;
    }
    const { child, channel } = worker;
    this.#spare = worker;
    unref(child);
    const giveUp = setTimeout(
      guarded(() => endWorker(worker)),
      SPARE_LIMIT_MS,
    ).unref();
    channel.listen(({ kind }) => {
      if (kind !== 'ready') throw new Error(`"${kind}" of a worker that prepares`);
      clearTimeout(giveUp);
      channel.listen(undefined);
      this.#spare = undefined;
      this.put(worker);
    });
    child.once('exit', () => clearTimeout(giveUp));
    channel.sendPreload([...this.#modules]);
  }

  #forget(worker: WorkerProcess): void {
    this.#all.delete(worker);
    if (this.#spare === worker) this.#spare = undefined;
    const at = this.#idle.findIndex((idle) => idle.worker === worker);
    if (at < 0) return;
    clearTimeout(this.#idle[at]?.retire);
    this.#idle.splice(at, 1);
  }
}

/** Ends a worker at once; what it still writes is not read. */
export function endWorker({ child, channel }: WorkerProcess): void {
  channel.close();
  killGroup(child);
}

/** Starts the program of a worker, confined; its end of the channel is file descriptor 3. */
function spawnWorker(confinement: Confinement): ChildProcess {
  const confined = confineNode(confinement, workerSandbox(), [`--max-old-space-size=${HEAP_LIMIT_MIB}`]);
  const { program, args } = runNice(getStartNiceness(), confined);
  const parent = sharesProcesses(confinement) ? process.pid : 0;
  const numbers = [parent, MEMORY_LIMIT_MIB, getWorkerNiceness()].map(String);
  const own = [/* turbopackIgnore: true */ fromRoot(WORKER_FILE), ...numbers];
  const child = spawn(program, [...args, ...own], {
    // Should an expression ever escape its sandbox, it finds no secret in its environment.
    env: { NODE_ENV: 'production', HOME: '/' },
    // A heap that is full would print its death to our log, pages of it, at every caller's wish.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  return withErrorListener(child);
}

/**
 * A worker sees the folders that there were at its start: with others it would not find its files.
 */
function scratchKey(): string {
  return getScratchFolders().join('\n');
}

/** The gateway's end of the channel; undefined where the system gave us no process. */
function pipeOf(child: ChildProcess): Socket | undefined {
  const pipe = child.stdio?.[CHANNEL_FD];
  return pipe instanceof Socket ? pipe : undefined;
}

function unref(child: ChildProcess): void {
  child.unref();
  pipeOf(child)?.unref();
}

export function fromRoot(file: string): string {
  return path.join(/* turbopackIgnore: true */ process.cwd(), file);
}

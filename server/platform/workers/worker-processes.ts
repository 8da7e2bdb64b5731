import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { withErrorListener } from '../../kit/error-listener';
import { fromRoot } from '../../kit/from-root';
import { guarded } from '../../kit/guarded';
import { type Confinement, confineNode, findConfinement, sharesProcesses } from '../confinement/confinement';
import { getScratchFolders } from '../confinement/folders';
import { killGroup } from '../confinement/kill-group';
import { getStartNiceness, getWorkerNiceness, withNiceness } from '../confinement/run-nice';
import { workerSandbox } from '../confinement/sandboxes';
import { GATEWAY } from './worker-callers';
import { CLOSED, WorkerChannel } from './worker-channel';

/** JavaScript heap of one worker, in MiB. An idle one with all modules has 40 MB of its own. */
export const HEAP_LIMIT_MIB = 256;
/** Total memory of one worker, native libraries included; its watchdog ends a task above it. */
export const MEMORY_LIMIT_MIB = 1_024;
/** Workers that stay idle for long: one for the next task, and a spare for the one after it. */
const WARM_WORKERS = 2;
const WARM_IDLE_MS = 900_000;
/** Further workers, started under load, are ended soon to free their memory. */
const EXTRA_IDLE_MS = 30_000;
/** Idle workers that serve one account; the longest idle one is ended for the next. */
const MAX_ISOLATED = 4;
const ISOLATED_IDLE_MS = 60_000;
/** Forking blocks the gateway for 1 ms plus 4 per 100 MB of its memory: one process at a time. */
const START_GAP_MS = 20;
/** How long no worker must be idle before a spare starts: short tasks alone need none. */
const SPARE_DELAY_MS = 250;
/** A spare that has not imported its modules by then is ended. */
const SPARE_LIMIT_MS = 60_000;
/** The pipe's file descriptor in the worker; cpu-worker.mjs uses the same number. */
const CHANNEL_FD = 3;
/** How long a worker that closed the channel may take to exit. */
const CLOSED_GRACE_MS = 1_000;
/** A path from the project's root: a bundler must not move the file. */
const WORKER_FILE = 'server/platform/workers/cpu-worker.mjs';

/** The second argument of a worker's function. Reports after its end are ignored. */
export interface WorkerReports {
  /** Logs a line for the caller; a thousand are passed on, each cut at 2,000 characters. */
  log(message: string): void;
  /** Reports progress from 0 to 1; passed on at most ten times a second. */
  progress(fraction: number): void;
  /** Waits; another task may use the slot until then. */
  sleep(ms: number): Promise<void>;
}

/** A process of the pool with its channel. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly channel: WorkerChannel;
  /** The scratch folders it was started with; it cannot see those added later. */
  readonly scratch: string;
  /** How many tasks it was given. */
  tasks: number;
  /** The account that it serves from now on; null if it may serve all. */
  isolatedFor: string | null;
}

/** What a task needs of its worker. */
export interface WorkerDemand {
  /** Whether no task may have run in it before. */
  readonly fresh: boolean;
  /** The account whose tasks alone may follow; '' for the gateway's own, null for all. */
  readonly isolatedFor: string | null;
}

/** The processes of the pool: busy ones, idle ones, and a spare that starts while all are busy. */
export class WorkerProcesses {
  readonly #max: number;
  /** The most recently used one is last: it has the most wanted modules loaded. */
  readonly #idle: IdleWorker[] = [];
  /** Idle workers that serve one account. */
  readonly #isolated: IdleWorker[] = [];
  readonly #all = new Set<WorkerProcess>();
  /** Modules that tasks have used; a spare imports them in advance. */
  readonly #modules = new Set<string>();
  /** Resolves when the next process may be started. */
  #turn: Promise<unknown> = Promise.resolve();
  #spareTimer: NodeJS.Timeout | undefined;
  #spare: WorkerProcess | undefined;
  #confinement: Confinement | undefined;
  #closed = false;

  constructor(max: number) {
    this.#max = max;
  }

  /** How many workers are idle, with their modules imported. */
  get ready(): number {
    return this.#idle.length;
  }

  /**
   * Takes an idle worker for a task, or starts one.
   * @throws if no process can be started, and after `close`
   */
  async take(moduleFile: string, demand: WorkerDemand): Promise<WorkerProcess> {
    if (this.#closed) throw new Error('The workers have been closed');
    this.#modules.add(moduleFile);
    this.#confinement ??= await findConfinement();
    const worker = this.#takeIdle(demand) ?? (await this.#startInTurn(demand, this.#confinement));
    worker.isolatedFor = demand.isolatedFor;
    worker.child.ref();
    getPipe(worker.child)?.ref();
    if (this.#idle.length === 0)
      this.#spareTimer ??= setTimeout(
        guarded(() => this.#startSpare()),
        SPARE_DELAY_MS,
      ).unref();
    return worker;
  }

  /** Returns a worker to the pool, where it does not keep the gateway's process alive. */
  put(worker: WorkerProcess): void {
    if (!this.#all.has(worker)) return;
    if (worker.scratch !== getScratchKey() || worker.isolatedFor === GATEWAY) {
      endWorker(worker);
      return;
    }
    unref(worker.child);
    const isShared = worker.isolatedFor === null;
    const idle = isShared ? this.#idle : this.#isolated;
    if (!isShared && idle.length >= MAX_ISOLATED) this.#endLongestIsolated();
    const sharedMs = idle.length < WARM_WORKERS ? WARM_IDLE_MS : EXTRA_IDLE_MS;
    const onIdle = guarded(() => {
      // First, so that no task can take it any more.
      this.#forget(worker);
      endWorker(worker);
    });
    const retire = setTimeout(onIdle, isShared ? sharedMs : ISOLATED_IDLE_MS).unref();
    idle.push({ worker, retire });
  }

  /** Kills all workers. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#spareTimer);
    for (const { retire } of [...this.#idle, ...this.#isolated]) clearTimeout(retire);
    for (const worker of this.#all) endWorker(worker);
  }

  #takeIdle({ fresh, isolatedFor }: WorkerDemand): WorkerProcess | undefined {
    const scratch = getScratchKey();
    for (const { worker, retire } of [...this.#idle, ...this.#isolated]) {
      if (worker.scratch === scratch) continue;
      clearTimeout(retire);
      this.#forget(worker);
      endWorker(worker);
    }
    const own =
      isolatedFor === null
        ? undefined
        : takeLast(this.#isolated, (worker) => worker.isolatedFor === isolatedFor && !fresh);
    return own ?? takeLast(this.#idle, ({ tasks }) => tasks === 0 || !fresh);
  }

  #endLongestIsolated(): void {
    const [longest] = this.#isolated;
    if (!longest) return;
    clearTimeout(longest.retire);
    this.#forget(longest.worker);
    endWorker(longest.worker);
  }

  async #startInTurn(demand: WorkerDemand, confinement: Confinement): Promise<WorkerProcess> {
    const turn = this.#turn;
    this.#turn = turn.then(() => wait(START_GAP_MS));
    await turn;
    const idle = this.#takeIdle(demand);
    if (idle) return idle;
    // Otherwise idle workers of other accounts would add to those that the slots allow.
    if (this.#all.size >= this.#max) this.#endLongestIsolated();
    return this.#start(confinement);
  }

  /** @throws if the system provides no process or no pipe */
  #start(confinement: Confinement): WorkerProcess {
    // Checked again: the pool may have been closed while the task waited for its turn.
    if (this.#closed) throw new Error('The workers have been closed');
    const scratch = getScratchKey();
    const child = spawnWorker(confinement);
    let worker: WorkerProcess | undefined;
    // Without a listener, a failed start would end the gateway. The task ends by 'exit' or timeout.
    const onError = guarded((error: Error) => {
      console.error('worker.failed', error);
      // A process that could not be started emits no 'exit'.
      if (child.pid === undefined && worker) this.#forget(worker);
    });
    child.on('error', onError);
    const pipe = getPipe(child);
    if (!pipe) throw new Error('A worker process could not be started');
    const channel = new WorkerChannel(pipe, (why) => {
      if (worker) this.#forget(worker);
      if (why !== CLOSED) console.error('worker.protocol_broken', why);
      // A worker that is exiting reports by its 'exit' what ended it.
      const kill = guarded(() => killGroup(child));
      if (why === CLOSED) setTimeout(kill, CLOSED_GRACE_MS).unref();
      else kill();
    });
    const started: WorkerProcess = { child, channel, scratch, tasks: 0, isolatedFor: null };
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
      console.error('worker.spare_failed', error);
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
      if (kind !== 'ready') throw new Error(`"${kind}" from a worker that is still preparing`);
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
    for (const idle of [this.#idle, this.#isolated]) takeLast(idle, (one) => one === worker);
  }
}

interface IdleWorker {
  readonly worker: WorkerProcess;
  readonly retire: NodeJS.Timeout;
}

/** Removes the most recently used worker that matches. */
function takeLast(
  idle: IdleWorker[],
  matches: (worker: WorkerProcess) => boolean,
): WorkerProcess | undefined {
  const at = idle.findLastIndex(({ worker }) => matches(worker));
  const [found] = at < 0 ? [] : idle.splice(at, 1);
  clearTimeout(found?.retire);
  return found?.worker;
}

/** Kills a worker and ignores its remaining output. */
export function endWorker({ child, channel }: WorkerProcess): void {
  channel.close();
  killGroup(child);
}

/** Starts a confined worker program; its end of the channel is file descriptor 3. */
function spawnWorker(confinement: Confinement): ChildProcess {
  const confined = confineNode(confinement, workerSandbox(), [`--max-old-space-size=${HEAP_LIMIT_MIB}`]);
  const { program, args } = withNiceness(getStartNiceness(), confined);
  const parent = sharesProcesses(confinement) ? process.pid : 0;
  const numbers = [parent, MEMORY_LIMIT_MIB, getWorkerNiceness()].map(String);
  const own = [/* turbopackIgnore: true */ fromRoot(WORKER_FILE), ...numbers];
  const child = spawn(program, [...args, ...own], {
    // If an expression ever escapes its sandbox, it finds no secret in the environment.
    env: { NODE_ENV: 'production', HOME: '/' },
    // Discards output: any caller could fill the heap, which prints pages to standard error.
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
  });
  return withErrorListener(child);
}

/** Identifies the scratch folders: a worker sees only those that existed when it started. */
function getScratchKey(): string {
  return getScratchFolders().join('\n');
}

/** The gateway's end of the channel; undefined if the process could not be started. */
function getPipe(child: ChildProcess): Socket | undefined {
  const pipe = child.stdio?.[CHANNEL_FD];
  return pipe instanceof Socket ? pipe : undefined;
}

function unref(child: ChildProcess): void {
  child.unref();
  getPipe(child)?.unref();
}

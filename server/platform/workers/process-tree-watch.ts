import { Worker } from 'node:worker_threads';
import { guarded, reportRaised } from '../../kit/guarded';
import { fromRoot } from './worker-processes';

const THREAD_FILE = 'server/platform/workers/process-tree-thread.mjs';
const THREAD_HEAP_MIB = 32;

interface WatchOptions {
  /** The process that everything else of the tree comes from. */
  pid: number;
  /** Whether that one too is killed where it is the largest; without, it never is. */
  withRoot?: boolean;
  /** What all of them may have in memory: past it the largest is killed, then the next. */
  maxBytes: number;
  niceness: number;
}

/** Bounds the memory and the priority of a tree of processes that handles untrusted bytes. */
export class ProcessTreeWatch {
  readonly #thread: Worker;

  constructor({ pid, ...limits }: WatchOptions) {
    this.#thread = new Worker(/* turbopackIgnore: true */ fromRoot(THREAD_FILE), {
      workerData: { ...limits, root: pid },
      env: { PATH: process.env.PATH ?? '' },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MIB },
    });
    this.#thread.on('error', guarded(reportRaised));
    this.#thread.unref();
  }

  /** Kills what is left of the tree, but for its root, and ends. */
  end(): void {
    this.#thread.postMessage('end');
  }
}

import { Worker } from 'node:worker_threads';
import { fromRoot } from '../../kit/from-root';
import { guarded, logUncaught } from '../../kit/guarded';

const THREAD_FILE = 'server/platform/workers/process-tree-thread.mjs';
const THREAD_HEAP_MIB = 32;

interface WatchOptions {
  /** The root process of the tree. */
  pid: number;
  /** Whether the root too is killed if it is the largest; by default it never is. */
  withRoot?: boolean;
  /** The memory limit of the tree: above it the largest process is killed, then the next. */
  maxBytes: number;
  niceness: number;
}

/** Limits the memory and priority of a process tree that handles untrusted bytes. */
export class ProcessTreeWatch {
  readonly #thread: Worker;

  constructor({ pid, ...limits }: WatchOptions) {
    this.#thread = new Worker(/* turbopackIgnore: true */ fromRoot(THREAD_FILE), {
      workerData: { ...limits, root: pid },
      env: { PATH: process.env.PATH ?? '' },
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MIB },
    });
    this.#thread.on('error', guarded(logUncaught));
    this.#thread.unref();
  }

  /** Kills the rest of the tree except its root, and stops watching. */
  end(): void {
    this.#thread.postMessage('end');
  }
}

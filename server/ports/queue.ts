import { Logger, makeWorkerUtils, type Runner, run } from 'graphile-worker';

// Workers are told of a new call by LISTEN; this is for what was said while nobody listened.
const POLL_MS = 2_000;
/** Connections of the queue's own pool: taking a call and giving it back are short. */
const POOL_SIZE = 3;
/** The task under which calls are queued; open_queued_call names it too. */
const TASK = 'run_call';

/** Migrating says much that nobody asks for. */
const quiet = new Logger(() => () => undefined);

/** Takes queued calls until it is stopped. */
export interface QueueWorker {
  /** Takes nothing more; resolves when what it runs has ended. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  databaseUrl: string;
  /** How many calls at once. */
  concurrency: number;
  /** Runs one call to its end; throws where it cannot be taken now, and is asked again later. */
  work(callId: string): Promise<void>;
  onError(error: unknown): void;
}

/** Makes or renews the tables of the queue. Safe to run at once from several processes. */
export async function prepareQueue(databaseUrl: string): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, maxPoolSize: 1, logger: quiet });
  try {
    await utils.migrate();
  } finally {
    await utils.release();
  }
}

/** Starts a worker on the queue. Who lives and who is dead is decided by our leases, not by the queue's own clock. */
export function startQueueWorker({ databaseUrl, concurrency, work, onError }: WorkerOptions): QueueWorker {
  const started = run({
    connectionString: databaseUrl,
    maxPoolSize: POOL_SIZE,
    concurrency,
    pollInterval: POLL_MS,
    // The shutdown is ours.
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') onError(new Error(message));
    }),
    taskList: {
      [TASK]: async (payload) => {
        await work((payload as { callId: string }).callId);
      },
    },
  });
  started.then(
    (runner: Runner) => runner.promise.catch(onError),
    (error) => onError(error),
  );
  return {
    async stop() {
      await (await started).stop();
    },
  };
}

import { EventEmitter, setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger, makeWorkerUtils, type Runner, run, type WorkerEvents } from 'graphile-worker';
import { Client, type ClientConfig, Pool } from 'pg';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';

// LISTEN notifies workers of new calls; polling finds those queued while they did not listen.
const POLL_MS = 2_000;
/** The delay before a failed worker is restarted. */
const RESTART_MS = 2_000;
/** Connections of the queue's own pool: one listens per task, taking and finishing are short. */
const POOL_SIZE = 4;
/** How often a stop checks whether a statement still waits for a connection. */
const WAITING_LOOK_MS = 5;
/** The same time limits as for all other statements (docs/decisions/0031). */
const BOUNDS = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 10_000,
  query_timeout: 12_000,
  idle_in_transaction_session_timeout: 30_000,
};

/** The message of pg for a statement without a response; the error has no code. */
const READ_TIMEOUT = 'Query read timeout';

/** Silences the verbose output of migrations. */
const quiet = new Logger(() => () => undefined);

/** Runs queued work until it is stopped. */
export interface QueueWorker {
  /** Takes no further work; resolves when the running work has ended. */
  stop(): Promise<void>;
}

/**
 * One kind of queued work. It has its own concurrency, so that no kind waits for another. SQL
 * functions use the same names.
 */
export interface QueueTask {
  name: 'run_call' | 'deliver_webhook';
  /** How much of it runs at the same time. */
  concurrency: number;
  /**
   * Does one piece to its end; throws if it cannot be taken now, to be retried later. The signal is
   * aborted when the worker stops.
   */
  work(id: string, stopping: AbortSignal): Promise<void>;
}

interface WorkerOptions {
  databaseUrl: string;
  tasks: readonly QueueTask[];
  onError(error: unknown): void;
}

/** The field of a job that has the id. */
const ID_FIELDS = { run_call: 'callId', deliver_webhook: 'deliveryId' } as const;

/** Creates or migrates the queue's tables. Safe to run from several processes at once. */
export async function prepareQueue(databaseUrl: string): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, maxPoolSize: 1, logger: quiet });
  try {
    await utils.migrate();
  } finally {
    await utils.release();
  }
}

/**
 * Starts a worker on the queue, and restarts it if it fails (for example after a database restart).
 * Our leases, not the queue's clock, decide which processes are alive.
 */
export function startQueueWorker({ databaseUrl, tasks, onError }: WorkerOptions): QueueWorker {
  const pool = createPool(databaseUrl, onError);
  const workers = tasks.map((task) => startTask(pool, task, onError));
  return {
    async stop() {
      await Promise.all(workers.map((worker) => worker.stop()));
      // The runners remove finished work without waiting; ending the pool would drop those
      // statements while they wait for a connection.
      while (pool.waitingCount > 0) await wait(WAITING_LOOK_MS);
      await pool.end();
    },
  };
}

function startTask(pool: Pool, task: QueueTask, onError: (error: unknown) => void): QueueWorker {
  const stopping = new AbortController();
  // Each running task may listen: their number is the concurrency, not a leak.
  setMaxListeners(0, stopping.signal);
  let runner: Runner | undefined;
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        const first = watchFirstQuery();
        runner = await runOn(pool, task, { events: first.events, onError, stopping: stopping.signal });
        if (stopping.signal.aborted) await runner.stop();
        await Promise.race([runner.promise, first.failed]);
      } catch (error) {
        if (!stopping.signal.aborted) onError(error);
        await stopRunner(runner);
      }
      runner = undefined;
      await wait(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const looping = loop();
  return {
    async stop() {
      stopping.abort();
      await runner?.stop().catch(onError);
      await looping;
    },
  };
}

/**
 * A runner caches the result of its first query (its task's id), even a failure, and would then
 * never take a call. `failed` rejects if a query for calls fails before one has succeeded.
 */
function watchFirstQuery(): { events: WorkerEvents; failed: Promise<never> } {
  const events: WorkerEvents = new EventEmitter();
  let hasSucceeded = false;
  const onSuccess = guarded(() => {
    hasSucceeded = true;
  });
  events.once('worker:getJob:empty', onSuccess);
  events.once('job:start', onSuccess);
  const failed = new Promise<never>((_, reject) => {
    events.on(
      'worker:getJob:error',
      guarded(({ error }) => {
        if (!hasSucceeded) reject(error);
      }),
    );
  });
  failed.catch(() => undefined);
  return { events, failed };
}

/** Stops a runner that took no call; one that failed has stopped already. */
async function stopRunner(runner: Runner | undefined): Promise<void> {
  await runner?.stop().catch(() => undefined);
  await runner?.promise.catch(() => undefined);
}

interface RunnerOptions {
  events: WorkerEvents;
  onError(error: unknown): void;
  stopping: AbortSignal;
}

function runOn(
  pgPool: Pool,
  { name, concurrency, work }: QueueTask,
  { events, onError, stopping }: RunnerOptions,
): Promise<Runner> {
  return run({
    pgPool,
    events,
    concurrency,
    pollInterval: POLL_MS,
    // We handle signals ourselves.
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => {
      if (level === 'error') onError(new Error(message));
    }),
    taskList: {
      [name]: async (payload) => {
        await work((payload as Record<string, string>)[ID_FIELDS[name]] as string, stopping);
      },
    },
  });
}

/** Closes a connection after a statement without a response; pg would reuse it while it waits. */
class QueueClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    // `query` has many overloads; only its promise form matters, so one cast here covers it.
    const { connection } = this as unknown as { connection: { stream: Socket } };
    const query = this.query.bind(this) as (...args: unknown[]) => unknown;
    this.query = ((...args: unknown[]) => {
      const made = query(...args);
      if (made instanceof Promise)
        made.catch((error: unknown) => {
          if (error instanceof Error && error.message === READ_TIMEOUT) connection.stream.destroy();
        });
      return made;
    }) as typeof this.query;
  }
}

/**
 * The queue's connections. With its own pool, the library leaves clients without an error listener
 * while it ends, and a database that stops then would end the process.
 */
function createPool(connectionString: string, onError: (error: unknown) => void): Pool {
  const pool = new Pool({
    connectionString,
    max: POOL_SIZE,
    application_name: 'tool-gateway queue',
    Client: QueueClient,
    ...BOUNDS,
  });
  pool.on('error', guarded(onError));
  pool.on('connect', (client) => {
    withErrorListener(client);
  });
  return pool;
}

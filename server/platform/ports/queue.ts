import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Logger, makeWorkerUtils, type Runner, run, type WorkerEvents } from 'graphile-worker';
import { Client, type ClientConfig, Pool } from 'pg';
import { withErrorListener } from '../../kit/error-listener';
import { guarded } from '../../kit/guarded';

// Workers are told of a new call by LISTEN; this is for what was said while nobody listened.
const POLL_MS = 2_000;
/** How soon a worker that broke down is started again. */
const RESTART_MS = 2_000;
/** Connections of the queue's own pool: taking a call and giving it back are short. */
const POOL_SIZE = 3;
/** How often a stop looks whether anybody still waits for a connection. */
const WAITING_LOOK_MS = 5;
/** The queue's statements have the bounds of all others (docs/decisions/0031). */
const BOUNDS = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 10_000,
  query_timeout: 12_000,
  idle_in_transaction_session_timeout: 30_000,
};
/** The task under which calls are queued; open_queued_call names it too. */
const TASK = 'run_call';

/** How the library calls a statement that got no answer; it gives it no code. */
const READ_TIMEOUT = 'Query read timeout';

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

/**
 * Starts a worker on the queue; one that breaks down (its database was restarted, say) is started
 * again. Who lives and who is dead is decided by our leases, not by the queue's own clock.
 */
export function startQueueWorker(options: WorkerOptions): QueueWorker {
  const { databaseUrl, onError } = options;
  const pool = createPool(databaseUrl, onError);
  const stopping = new AbortController();
  let runner: Runner | undefined;
  const loop = async () => {
    while (!stopping.signal.aborted) {
      try {
        const first = watchFirstQuery();
        runner = await runOn(pool, options, first.events);
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
      // What has ended is taken out of the queue without being waited for; a pool that ends forgets
      // who waits for a connection.
      while (pool.waitingCount > 0) await wait(WAITING_LOOK_MS);
      await pool.end();
    },
  };
}

/**
 * A runner keeps the result of its first query (the id of its task), a failure too: it would never
 * take a call. `failed` rejects where no query for calls has succeeded before one failed.
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

/** Stops a runner that has taken nothing; one that broke down has stopped. */
async function stopRunner(runner: Runner | undefined): Promise<void> {
  await runner?.stop().catch(() => undefined);
  await runner?.promise.catch(() => undefined);
}

function runOn(
  pgPool: Pool,
  { concurrency, work, onError }: WorkerOptions,
  events: WorkerEvents,
): Promise<Runner> {
  return run({
    pgPool,
    events,
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
}

/**
 * A connection that is closed where a statement got no answer: the library would give it out again,
 * still waiting.
 */
class QueueClient extends Client {
  constructor(config?: string | ClientConfig) {
    super(config);
    // The methods are made for callbacks and promises both: the one that counts here is said in one
    // place.
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
 * The queue's connections. A pool of its own making, the library would leave a client without a
 * listener while it ends: a database that stops in that moment would end the whole process.
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

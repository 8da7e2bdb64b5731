import { setTimeout as sleep } from 'node:timers/promises';
import { guarded } from '../../../kit/guarded';
import { RestartBackoff } from '../../../kit/restart-backoff.mjs';
import { BootError } from '../../../platform/process/boot-error';
import { isAlive } from '../../../platform/process/process-identity';
import { type Binaries, prepareBinaries } from './binaries';
import { ensureCluster } from './cluster';
import { type Placement, placeCluster } from './placement';
import {
  findRunning,
  freePort,
  launch,
  type Postmaster,
  PostmasterFailed,
  signalPostmaster,
  stopPostmaster,
  superuser,
} from './postmaster';

const MAX_ATTEMPTS = 100;
const RETRY_MS = 100;
const WATCH_MS = 250;
const DATABASE = 'gateway';

interface StartOptions {
  /** Existing folder for all files; the caller holds its lock. */
  dataDir: string;
  /** Whether commits survive a power failure. False only in tests. */
  durable?: boolean;
  /** Where root may put files that an ordinary user must reach. */
  reachableRoot?: string;
  /** The first wait between restarts; shorter in tests. */
  firstWaitMs?: number;
  /** Called when a server that exited unexpectedly is restarted. */
  log?: ((message: string) => void) | undefined;
}

/** A running embedded PostgreSQL. */
export interface RunningPostgres {
  /** The database `gateway` with its owner's role, which is not a superuser. */
  url: string;
  /** The same server with the superuser role, for tests and repairs. */
  adminUrl: string;
  /** Whether it was already running, left by a killed gateway. */
  adopted: boolean;
  /** Folder of the cluster: in the data folder, or under the reachable root. */
  baseDir: string;
  pid: () => number;
  /** Shuts down cleanly and waits for it. */
  stop(): Promise<void>;
  /** Starts a clean shutdown without waiting, for a process about to exit. */
  stopNow(): void;
}

/**
 * Starts the PostgreSQL of a data folder: creates the cluster, adopts a running server, or recovers
 * from a kill. Restarts it until `stop` is called.
 */
export async function startPostgres(options: StartOptions): Promise<RunningPostgres> {
  const durable = options.durable ?? true;
  const place = await placeCluster(options.dataDir, options.reachableRoot);
  const binaries = await prepareBinaries(place.runAs, place.runtimeDir);
  await ensureCluster(place, binaries, durable);
  const running = await findRunning(place);
  let postmaster = running ?? (await launchOnFreePort(place, binaries, durable));
  await ensureRoleAndDatabase(place, postmaster.port);
  const watch = supervise(
    () => postmaster,
    async () => {
      postmaster = await launchOnFreePort(place, binaries, durable, postmaster.port);
    },
    { log: options.log ?? console.error, backoff: new RestartBackoff(options.firstWaitMs) },
  );
  const url = (user: string, password: string, database: string) =>
    `postgres://${user}:${password}@127.0.0.1:${postmaster.port}/${database}`;
  return {
    url: url(DATABASE, place.gatewayPassword, DATABASE),
    adminUrl: url('postgres', place.superuserPassword, 'postgres'),
    adopted: running !== null,
    baseDir: place.baseDir,
    pid: () => postmaster.pid,
    async stop() {
      await watch.end();
      await stopPostmaster(postmaster.pid, place.clusterDir);
    },
    stopNow() {
      void watch.end();
      signalPostmaster(postmaster.pid, place.clusterDir, 'SIGINT');
    },
  };
}

/**
 * Finds the server that a running gateway has started on this data folder.
 * @returns its URL, or null if none responds
 */
export async function findPostgresUrl(dataDir: string): Promise<string | null> {
  const place = await placeCluster(dataDir);
  const running = await findRunning(place);
  return running && `postgres://${DATABASE}:${place.gatewayPassword}@127.0.0.1:${running.port}/${DATABASE}`;
}

/** Retries until it runs, or fails for a reason that time or another port cannot fix. */
async function launchOnFreePort(
  place: Placement,
  binaries: Binaries,
  durable: boolean,
  fixedPort?: number,
): Promise<Postmaster> {
  let said = '';
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      // Another process may take the port in between; then the next attempt chooses another.
      return await launch(place, binaries, fixedPort ?? (await freePort()), durable);
    } catch (error) {
      if (!(error instanceof PostmasterFailed)) throw error;
      said = error.output;
      if (!/Address already in use|could not create any TCP|shared memory block|lock file/.test(said)) break;
      // Backends of a killed server need a moment to exit.
      await sleep(RETRY_MS);
      const running = await findRunning(place);
      if (running) return running;
    }
  }
  throw new BootError(`The embedded PostgreSQL does not start: ${said}`);
}

/** The gateway uses an ordinary role: injected SQL cannot access files or programs. */
async function ensureRoleAndDatabase(place: Placement, port: number): Promise<void> {
  const sql = superuser(place, port);
  try {
    const [found] = await sql`
      select exists(select from pg_roles where rolname = ${DATABASE}) as role,
             exists(select from pg_database where datname = ${DATABASE}) as database`;
    if (!found?.role) {
      // CREATE ROLE takes no parameters; the password is our own, in hexadecimal.
      await sql.unsafe(
        `create role ${DATABASE} login password '${place.gatewayPassword}' in role pg_monitor`,
      );
    }
    if (!found?.database) await sql.unsafe(`create database ${DATABASE} owner ${DATABASE}`);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/**
 * Restarts a server that was killed, e.g. out of memory; on the same port, for open pools. Never
 * gives up: a full disk also fails its starts, and people make space later.
 */
function supervise(
  current: () => Postmaster,
  restart: () => Promise<void>,
  { log, backoff }: { log: (message: string) => void; backoff: RestartBackoff },
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let restarting: Promise<void> | null = null;
  let startedAt = performance.now();
  let served = true;
  const restartAfter = async (waitMs: number) => {
    await sleep(waitMs, undefined, { signal });
    await restart();
    served = true;
  };
  const restartIfDead = () => {
    if (restarting || isAlive(current().pid)) return;
    const waitMs = backoff.recordCrash({ uptimeMs: performance.now() - startedAt, served });
    log(`PostgreSQL stopped unexpectedly: restarting it${waitMs ? ` in ${waitMs / 1000} s` : ''}.`);
    served = false;
    restarting = restartAfter(waitMs)
      .catch((error: unknown) => {
        if (!signal.aborted) log(error instanceof Error ? error.message : String(error));
      })
      .finally(() => {
        startedAt = performance.now();
        restarting = null;
      });
  };
  const timer = setInterval(guarded(restartIfDead), WATCH_MS);
  timer.unref();
  return {
    async end() {
      clearInterval(timer);
      stopping.abort();
      await restarting;
    },
  };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { guarded } from '../../../kit/guarded';
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
const MAX_RESTARTS_IN_A_ROW = 5;
const RESTART_CALM_MS = 60_000;
const DATABASE = 'gateway';

interface StartOptions {
  /** Existing folder that keeps everything; the caller holds its lock. */
  dataDir: string;
  /** Whether commits survive a power cut. False is for tests alone. */
  durable?: boolean;
  /** Where root may put what an ordinary user must reach. */
  reachableRoot?: string;
  /** Told when a server that ended by itself was started again. */
  log?: (message: string) => void;
}

/** An embedded PostgreSQL that runs. */
export interface RunningPostgres {
  /** Database `gateway` as its owner, an ordinary role. */
  url: string;
  /** The same server as superuser, for tests and the operator's repairs. */
  adminUrl: string;
  /** Whether it was running already, left by a killed gateway. */
  adopted: boolean;
  /** Folder that holds the cluster: the data folder's, or one under the reachable root. */
  baseDir: string;
  pid: () => number;
  /** Clean shutdown, waited for. */
  stop(): Promise<void>;
  /** Clean shutdown, only begun: for a process that is about to exit. */
  stopNow(): void;
}

/**
 * Brings up the PostgreSQL of a data folder: makes the cluster, or adopts the running server, or
 * recovers from whatever a kill left behind; then keeps it running until `stop`.
 */
export async function startPostgres(options: StartOptions): Promise<RunningPostgres> {
  const durable = options.durable ?? true;
  const place = await placeCluster(options.dataDir, options.reachableRoot);
  const binaries = await prepareBinaries(place.runAs, place.runtimeDir);
  await ensureCluster(place, binaries, durable);
  const running = await findRunning(place);
  let postmaster = running ?? (await launchSomewhere(place, binaries, durable));
  await ensureRoleAndDatabase(place, postmaster.port);
  const watch = keepRunning(
    place,
    () => postmaster,
    async () => {
      postmaster = await launchSomewhere(place, binaries, durable, postmaster.port);
    },
    options.log ?? console.error,
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
 * The server a running gateway has already started on this data folder.
 * @returns its address, or null where none answers
 */
export async function findPostgresUrl(dataDir: string): Promise<string | null> {
  const place = await placeCluster(dataDir);
  const running = await findRunning(place);
  return running && `postgres://${DATABASE}:${place.gatewayPassword}@127.0.0.1:${running.port}/${DATABASE}`;
}

/** Tries until it runs or fails for a reason that time and another port do not mend. */
async function launchSomewhere(
  place: Placement,
  binaries: Binaries,
  durable: boolean,
  fixedPort?: number,
): Promise<Postmaster> {
  let said = '';
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    try {
      // Between choosing a port and listening on it another process may take it: then the next one.
      return await launch(place, binaries, fixedPort ?? (await freePort()), durable);
    } catch (error) {
      if (!(error instanceof PostmasterFailed)) throw error;
      said = error.said;
      if (!/Address already in use|could not create any TCP|shared memory block|lock file/.test(said)) break;
      // Backends of a killed server need a moment to notice that it is gone.
      await sleep(RETRY_MS);
      const running = await findRunning(place);
      if (running) return running;
    }
  }
  throw new BootError(`The embedded PostgreSQL does not start: it ${said}`);
}

/**
 * The gateway works as an ordinary role: what slips into its SQL cannot reach files or programs.
 */
async function ensureRoleAndDatabase(place: Placement, port: number): Promise<void> {
  const sql = superuser(place, port);
  try {
    const [found] = await sql`
      select exists(select from pg_roles where rolname = ${DATABASE}) as role,
             exists(select from pg_database where datname = ${DATABASE}) as database`;
    if (!found?.role) {
      // The password is hexadecimal, ours, and CREATE ROLE takes no parameters.
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
 * Starts the server again, on the same port so that pools find it, when it ended without being
 * asked to: a kill -9, or the machine out of memory.
 */
function keepRunning(
  place: Placement,
  current: () => Postmaster,
  restart: () => Promise<void>,
  log: (message: string) => void,
) {
  let restarting: Promise<void> | null = null;
  let restarts = 0;
  let lastRestart = 0;
  const look = () => {
    if (restarting || isAlive(current().pid)) return;
    restarts = Date.now() - lastRestart > RESTART_CALM_MS ? 1 : restarts + 1;
    lastRestart = Date.now();
    if (restarts > MAX_RESTARTS_IN_A_ROW) {
      clearInterval(timer);
      log(`PostgreSQL ended ${restarts} times in a row: given up. See ${place.logFile}`);
      return;
    }
    log('PostgreSQL ended by itself: starting it again.');
    restarting = restart()
      .catch((error: unknown) => log(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        restarting = null;
      });
  };
  const timer = setInterval(guarded(look), WATCH_MS);
  timer.unref();
  return {
    async end() {
      clearInterval(timer);
      await restarting;
    },
  };
}

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { BootError, errorCode } from '../../../platform/process/boot-error';
import { isAlive, isPostgresWithDataFolder, waitUntilGone } from '../../../platform/process/process-identity';
import { type Binaries, CHILD_ENV } from './binaries';
import type { Placement } from './placement';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 15;
const FAST_STOP_MS = 20_000;
const IMMEDIATE_STOP_MS = 5_000;
const PROBE_TIMEOUT_S = 2;
const LOG_TAIL_LINES = 20;
const LOG_ROTATE_BYTES = 10 * 1024 * 1024;
/** Above every pid_max, so no process has it. */
const NO_PID = 2_147_483_646;

/** A running server: its process and port. */
export interface Postmaster {
  pid: number;
  port: number;
}

/** The server exited before it accepted connections; `output` is what it printed. */
export class PostmasterFailed extends Error {
  constructor(readonly output: string) {
    super(output);
  }
}

/**
 * Finds the server that a killed gateway left running on this cluster. Waits while it is starting
 * or stopping.
 * @returns null if there is none, after removing what would block a new one
 */
export async function findRunning(place: Placement): Promise<Postmaster | null> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const found = await readPidFile(place.clusterDir);
    if (!found) return null;
    if (!isPostgresWithDataFolder(found.pid, place.clusterDir)) {
      await neutralizePidFile(place.clusterDir, found.pid);
      return null;
    }
    if (found.port && (await isServing(place, found.port))) return { pid: found.pid, port: found.port };
    if (Date.now() > deadline) {
      throw new BootError(
        `PostgreSQL with process id ${found.pid} runs on ${place.clusterDir} but does not respond.\n` +
          `Stop it with: kill -INT ${found.pid}\n${await logTail(place.logFile, 0)}`,
      );
    }
    await sleep(POLL_MS);
  }
}

/**
 * Starts a server and waits until it accepts connections.
 * @throws PostmasterFailed if it exits before
 */
export async function launch(
  place: Placement,
  binaries: Binaries,
  port: number,
  durable: boolean,
): Promise<Postmaster> {
  const logStart = await rotateLog(place.logFile);
  const log = openSync(place.logFile, 'a', 0o600);
  const child = spawn(binaries.postgres, serverArguments(place.clusterDir, port, durable), {
    ...(place.runAs && { uid: place.runAs.uid, gid: place.runAs.gid }),
    cwd: '/',
    env: CHILD_ENV,
    // Its own session: Ctrl-C in the terminal signals only us, and we stop it after the last call.
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  child.unref();
  let ended: string | null = null;
  child.on('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= `ended with ${signal ?? `code ${code}`}`;
  });
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (ended === null && Date.now() < deadline) {
    const file = await readPidFile(place.clusterDir);
    if (file?.pid === child.pid && file?.ready && (await isServing(place, port)))
      return { pid: file.pid, port };
    await sleep(POLL_MS);
  }
  if (ended === null && child.pid) await stopPostmaster(child.pid, place.clusterDir);
  throw new PostmasterFailed(
    `${ended ?? 'did not respond in time'}\n${await logTail(place.logFile, logStart)}`,
  );
}

/** Fast shutdown: rolls back open transactions, flushes data. Immediate shutdown if too slow. */
export async function stopPostmaster(pid: number, clusterDir: string): Promise<void> {
  if (!signalPostmaster(pid, clusterDir, 'SIGINT')) return;
  if (await waitUntilGone(pid, FAST_STOP_MS)) return;
  signalPostmaster(pid, clusterDir, 'SIGQUIT');
  await waitUntilGone(pid, IMMEDIATE_STOP_MS);
}

/** Signals the process only if it is this cluster's server, not another one that reused the pid. */
export function signalPostmaster(pid: number, clusterDir: string, signal: NodeJS.Signals): boolean {
  if (!isPostgresWithDataFolder(pid, clusterDir)) return false;
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Returns a port that is free at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

function serverArguments(clusterDir: string, port: number, durable: boolean): string[] {
  const options: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    // No socket files: a kill leaves no stale ones, and no path is too long for one.
    unix_socket_directories: '',
    // A test run has the pools of several test files at once.
    max_connections: durable ? '100' : '400',
    shared_buffers: '128MB',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    synchronous_commit: durable ? 'on' : 'off',
    // Our statements are short: compiling them costs more than running them.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_checkpoints: 'off',
  };
  return [
    '-D',
    clusterDir,
    ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}

/** Verifies that the port is our server's: it accepts our password and serves this data folder. */
async function isServing(place: Placement, port: number): Promise<boolean> {
  const sql = superuser(place, port);
  try {
    const [row] = await sql`select current_setting('data_directory') as dir`;
    return row?.dir === place.clusterDir;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** Opens one superuser connection; only for supervision. */
export function superuser(place: Placement, port: number) {
  return postgres({
    host: '127.0.0.1',
    port,
    username: 'postgres',
    password: place.superuserPassword,
    database: 'postgres',
    max: 1,
    connect_timeout: PROBE_TIMEOUT_S,
    fetch_types: false,
    onnotice: () => undefined,
  });
}

interface PidFile {
  pid: number;
  port: number | null;
  ready: boolean;
}

const PID_FILE = 'postmaster.pid';

async function readPidFile(clusterDir: string): Promise<PidFile | null> {
  const text = await readFile(join(clusterDir, PID_FILE), 'utf8').catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory, status.
  const lines = text.split('\n').map((line) => line.trim());
  return { pid: Number(lines[0]) || NO_PID, port: Number(lines[3]) || null, ready: lines[7] === 'ready' };
}

/**
 * Neutralizes a stale pid file. PostgreSQL takes over a file with a free pid, after checking the
 * shared memory it names for running backends of the killed server. To keep that check, replace
 * only a pid that now belongs to another process or a zombie. An unreadable file is removed.
 */
async function neutralizePidFile(clusterDir: string, pid: number): Promise<void> {
  const path = join(clusterDir, PID_FILE);
  if (pid === NO_PID) {
    if (!/^\d+\s*$/m.test((await readFile(path, 'utf8')).split('\n')[0] ?? ''))
      await rm(path, { force: true });
    return;
  }
  if (!isPidTaken(pid)) return;
  const { uid, gid } = await stat(path);
  const text = await readFile(path, 'utf8');
  // Exclusive creation under a new name: PostgreSQL's user owns the folder, so root must not follow
  // links in it.
  const next = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(next, 'wx', 0o600);
  try {
    await file.writeFile(text.replace(/^\d+/, String(NO_PID)));
    if (process.getuid?.() === 0) await file.chown(uid, gid);
  } finally {
    await file.close();
  }
  await rename(next, path);
}

/** PostgreSQL checks with kill(), for which a zombie still exists. */
function isPidTaken(pid: number): boolean {
  if (isAlive(pid)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** @returns the offset at which the next start writes */
async function rotateLog(path: string): Promise<number> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size < LOG_ROTATE_BYTES) return size;
  await rename(path, `${path}.1`);
  return 0;
}

async function logTail(path: string, from: number): Promise<string> {
  const bytes = await readFile(path).catch(() => Buffer.alloc(0));
  const lines = bytes.subarray(from).toString('utf8').trimEnd().split('\n').slice(-LOG_TAIL_LINES);
  return `The end of ${path}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { guarded } from '../../../kit/guarded';
import { BootError, errorCode } from '../../../platform/process/boot-error';
import { syncFolder } from '../../../platform/process/private-file';
import { type Binaries, CHILD_ENV } from './binaries';
import type { Placement } from './placement';
import type { RunAs } from './run-as';

const INITDB_TIMEOUT_MS = 120_000;
const OUTPUT_TAIL_LINES = 15;
/** A new cluster has this prefix until complete, so a crash leaves an identifiable partial one. */
const MAKING = 'making-';

/**
 * Creates the cluster if there is none, after removing partial ones of killed starts.
 * @param durable false skips fsync and costly passwords, for tests
 */
export async function ensureCluster(place: Placement, binaries: Binaries, durable: boolean): Promise<void> {
  await removePartial(place.baseDir);
  const version = await clusterVersion(place.clusterDir);
  if (version === null) return makeCluster(place, binaries.initdb, durable);
  if (version !== binaries.majorVersion) {
    throw new BootError(
      `The database in ${place.clusterDir} was created by PostgreSQL ${version}; this gateway includes ` +
        `${binaries.majorVersion}.\nDump the database with the gateway version that created it, and load it here.`,
    );
  }
}

async function clusterVersion(clusterDir: string): Promise<string | null> {
  try {
    return (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function removePartial(baseDir: string): Promise<void> {
  for (const name of await readdir(baseDir)) {
    // The initdb of a killed start may still be writing: retry until it stops.
    if (name.startsWith(MAKING)) {
      await rm(join(baseDir, name), { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    }
  }
}

async function makeCluster(place: Placement, initdb: string, durable: boolean): Promise<void> {
  const { baseDir, runAs } = place;
  const making = join(baseDir, MAKING + randomBytes(6).toString('hex'));
  const passwordFile = `${making}.password`;
  await mkdir(making, { mode: 0o700 });
  await writeFile(passwordFile, `${place.superuserPassword}\n`, { mode: 0o600 });
  if (runAs) for (const path of [making, passwordFile]) await chown(path, runAs.uid, runAs.gid);
  const args = [
    `--pgdata=${making}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // The builtin provider sorts and cases the same on every machine, independent of its locales.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    // Checking a password takes 10 ms of CPU, and a test run opens thousands of connections.
    ...(durable ? [] : ['--no-sync', '--set=scram_iterations=1']),
  ];
  try {
    await run(initdb, args, runAs);
    await rename(making, place.clusterDir);
    await syncFolder(baseDir);
  } finally {
    await rm(passwordFile, { force: true });
    await rm(making, { recursive: true, force: true });
  }
}

function run(program: string, args: string[], runAs: RunAs | null): Promise<void> {
  const child = spawn(program, args, {
    ...(runAs && { uid: runAs.uid, gid: runAs.gid }),
    cwd: '/',
    env: CHILD_ENV,
    timeout: INITDB_TIMEOUT_MS,
    // Ctrl-C signals the terminal's whole group. In its own session initdb finishes, and we stop
    // afterwards. (execFile would drop this option.)
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  }
  return new Promise((resolve, reject) => {
    const fail = (why: string) => {
      const tail = said.trim().split('\n').slice(-OUTPUT_TAIL_LINES).join('\n');
      reject(new BootError(`Creating the embedded database failed (${why}):\n${tail}`));
    };
    child.on(
      'error',
      guarded((error) => fail(error.message)),
    );
    const onClose = (code: number | null, signal: NodeJS.Signals | null) =>
      code === 0 ? resolve() : fail(signal ?? `code ${code}`);
    child.once('close', guarded(onClose));
  });
}

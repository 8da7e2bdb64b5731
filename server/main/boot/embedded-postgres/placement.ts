import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BootError } from '../../../platform/process/boot-error';
import { readPrivateFile, writePrivateFile } from '../../../platform/process/private-file';
import { canTraverse, chooseRunAs, type RunAs } from './run-as';

/** Where root keeps what an ordinary user must reach when the data folder itself is closed to that user. */
export const REACHABLE_ROOT = '/var/lib/tool-gateway';

const PASSWORD_BYTES = 24;

const recordSchema = z.object({
  /** Folder of the cluster; null: inside the data folder, and moves with it. */
  outside: z.string().nullable(),
  /** The data folder this was written for: shows a copied data folder, two gateways on one cluster. */
  dataDir: z.string(),
  superuserPassword: z.string(),
  gatewayPassword: z.string(),
});

/** What the data folder remembers of its cluster (`postgres/cluster.json`, mode 0600). */
type ClusterRecord = z.output<typeof recordSchema>;

/** Where a cluster lives and who runs it. */
export interface Placement {
  /** Holds the cluster and what is being made of one. */
  baseDir: string;
  clusterDir: string;
  /** Folder for a copy of the programs, should one be needed. */
  runtimeDir: string;
  logFile: string;
  runAs: RunAs | null;
  superuserPassword: string;
  gatewayPassword: string;
}

/**
 * Decides, and remembers in the data folder, where the cluster lives: inside the data folder wherever the user
 * who runs PostgreSQL can reach it there, so that one folder holds everything.
 * @param dataDir an existing folder of this process's user
 */
export async function placeCluster(dataDir: string, reachableRoot = REACHABLE_ROOT): Promise<Placement> {
  const real = await realpath(dataDir);
  const home = join(real, 'postgres');
  await mkdir(home, { recursive: true, mode: 0o700 });
  const recordFile = join(home, 'cluster.json');
  const known = parseRecord(await readPrivateFile(recordFile), recordFile);
  const baseDir = known?.outside ?? home;
  const runAs = chooseRunAs(join(baseDir, 'cluster'));
  if (process.getuid?.() === 0 && !runAs) {
    throw new BootError(
      'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody.\n' +
        'Start the gateway as an ordinary user, or set DATABASE_URL.',
    );
  }
  const record = known
    ? await recheck(known, real, recordFile)
    : await newRecord(real, home, runAs, reachableRoot);
  if (record !== known) await writePrivateFile(recordFile, `${JSON.stringify(record, null, 2)}\n`);
  const base = record.outside ?? home;
  if (runAs) await openToGroup(record.outside ? [base] : [real, home], runAs);
  return {
    baseDir: base,
    clusterDir: join(base, 'cluster'),
    runtimeDir: runAs ? reachableRoot : home,
    logFile: join(home, 'postgres.log'),
    runAs,
    superuserPassword: record.superuserPassword,
    gatewayPassword: record.gatewayPassword,
  };
}

async function newRecord(
  dataDir: string,
  home: string,
  runAs: RunAs | null,
  reachableRoot: string,
): Promise<ClusterRecord> {
  if ((await readdir(home)).includes('cluster')) {
    throw new BootError(
      `${home} holds a database but not its password (cluster.json is gone): restore it from a backup,\n` +
        'or move the folder away to begin with an empty database.',
    );
  }
  if (runAs) await openToGroup([dataDir, home], runAs);
  const inside = !runAs || canTraverse(home, runAs);
  return {
    // A random name, not one derived from the path: a new data folder never meets the cluster of a deleted one.
    outside: inside ? null : await makeOutside(reachableRoot),
    dataDir,
    superuserPassword: randomBytes(PASSWORD_BYTES).toString('hex'),
    gatewayPassword: randomBytes(PASSWORD_BYTES).toString('hex'),
  };
}

/** A moved data folder is taken over; a copied one would put two gateways on the same cluster. */
async function recheck(known: ClusterRecord, dataDir: string, recordFile: string): Promise<ClusterRecord> {
  if (known.dataDir === dataDir) return known;
  if (known.outside) {
    const original = parseRecord(await readPrivateFile(join(known.dataDir, 'postgres/cluster.json')), '');
    if (original?.outside === known.outside) {
      throw new BootError(
        `${dataDir} is a copy of ${known.dataDir}, whose database lies in ${known.outside}.\n` +
          `Remove ${recordFile} to begin with an empty database here.`,
      );
    }
  }
  return { ...known, dataDir };
}

async function makeOutside(reachableRoot: string): Promise<string> {
  await mkdir(reachableRoot, { recursive: true });
  await chmod(reachableRoot, 0o755);
  const outside = join(reachableRoot, `cluster-${randomBytes(8).toString('hex')}`);
  await mkdir(outside, { mode: 0o700 });
  return outside;
}

/** Lets the user's group pass through, and nobody else: it can reach the cluster, not list or read what is beside. */
async function openToGroup(folders: string[], { uid, gid }: RunAs): Promise<void> {
  for (const folder of folders) {
    if ((await stat(folder)).uid === uid) continue;
    await chown(folder, 0, gid);
    await chmod(folder, 0o710);
  }
}

function parseRecord(text: string | null, path: string): ClusterRecord | null {
  if (text === null) return null;
  try {
    return recordSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new BootError(`${path} is damaged: restore it from a backup; it holds the database's password.`, {
      cause,
    });
  }
}

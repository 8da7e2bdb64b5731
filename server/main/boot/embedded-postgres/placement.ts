import { randomBytes } from 'node:crypto';
import { chmod, chown, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BootError } from '../../../platform/process/boot-error';
import { readPrivateFile, writePrivateFile } from '../../../platform/process/private-file';
import { canTraverse, chooseRunAs, type RunAs } from './run-as';

/** Where root puts files that PostgreSQL's user must reach if the data folder is closed to it. */
export const REACHABLE_ROOT = '/var/lib/tool-gateway';

const PASSWORD_BYTES = 24;

const recordSchema = z.object({
  /** Folder of the cluster; null: inside the data folder, and moves with it. */
  outside: z.string().nullable(),
  /** The data folder it was written for; a mismatch shows a copied or moved folder. */
  dataDir: z.string(),
  superuserPassword: z.string(),
  gatewayPassword: z.string(),
});

/** The record of the cluster in the data folder (`postgres/cluster.json`, mode 0600). */
type ClusterRecord = z.output<typeof recordSchema>;

/** The location of a cluster, and the user that runs it. */
export interface Placement {
  /** Contains the cluster and partial ones. */
  baseDir: string;
  clusterDir: string;
  /** Folder for a copy of the programs, if needed. */
  runtimeDir: string;
  logFile: string;
  runAs: RunAs | null;
  superuserPassword: string;
  gatewayPassword: string;
}

/**
 * Decides where the cluster lives and records it in the data folder. It is inside the data folder
 * if PostgreSQL's user can reach it there, so that one folder contains everything.
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
      'PostgreSQL refuses to run as root, and this machine has no user postgres, _postgres or nobody.\n' +
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
      `${home} contains a database but not its password (cluster.json is missing): restore it from a backup,\n` +
        'or move the folder away to start with an empty database.',
    );
  }
  if (runAs) await openToGroup([dataDir, home], runAs);
  const inside = !runAs || canTraverse(home, runAs);
  return {
    // Random, not derived from the path: a new data folder must not find the cluster of a deleted
    // one.
    outside: inside ? null : await makeOutside(reachableRoot),
    dataDir,
    superuserPassword: randomBytes(PASSWORD_BYTES).toString('hex'),
    gatewayPassword: randomBytes(PASSWORD_BYTES).toString('hex'),
  };
}

/** A moved data folder is accepted; a copied one would put two gateways on the same cluster. */
async function recheck(known: ClusterRecord, dataDir: string, recordFile: string): Promise<ClusterRecord> {
  if (known.dataDir === dataDir) return known;
  if (known.outside) {
    const original = parseRecord(await readPrivateFile(join(known.dataDir, 'postgres/cluster.json')), '');
    if (original?.outside === known.outside) {
      throw new BootError(
        `${dataDir} is a copy of ${known.dataDir}, whose database is in ${known.outside}.\n` +
          `Remove ${recordFile} to start with an empty database here.`,
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

/**
 * Lets only the user's group traverse: it can reach the cluster, but not list or read other files.
 */
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
    throw new BootError(`${path} is damaged: restore it from a backup; it contains the database password.`, {
      cause,
    });
  }
}

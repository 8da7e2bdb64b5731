import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { getProcessIdentity } from '../../platform/process/process-identity';

const PART = /\.(\d+)-([0-9a-f]{8})-([0-9a-f]{8})\.part$/;

/** The name of an incomplete backup, which identifies the machine and the process that write it. */
export function createPartName(path: string): string {
  return `${path}.${process.pid}-${hashName(hostname())}-${hashName(getProcessIdentity(process.pid))}.part`;
}

/**
 * Removes incomplete backups of killed processes on this machine.
 * @returns those of other machines, where the process may still run
 */
export async function removeStaleParts(folder: string): Promise<string[]> {
  const foreign: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const [, pid, host, identity] = PART.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    if (host !== hashName(hostname())) foreign.push(path);
    else if (identity !== hashName(getProcessIdentity(Number(pid)))) await rm(path, { force: true });
  }
  return foreign;
}

/** Null for a process that does not exist. */
function hashName(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex').slice(0, 8);
}

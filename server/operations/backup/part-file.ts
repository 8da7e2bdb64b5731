import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '../../platform/process/process-identity';

const PART = /\.(\d+)-([0-9a-f]{8})-([0-9a-f]{8})\.part$/;

/**
 * Where a backup is written until it is complete: the name says which process of which machine
 * writes it.
 */
export function nameOfPart(path: string): string {
  return `${path}.${process.pid}-${mark(hostname())}-${mark(processIdentity(process.pid))}.part`;
}

/**
 * Removes what backups of this machine left in a folder when they were killed.
 * @returns the parts of other machines: whether those backups still run cannot be seen from here
 */
export async function removeStaleParts(folder: string): Promise<string[]> {
  const foreign: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const [, pid, host, identity] = PART.exec(name) ?? [];
    if (pid === undefined) continue;
    const path = join(folder, name);
    if (host !== mark(hostname())) foreign.push(path);
    else if (identity !== mark(processIdentity(Number(pid)))) await rm(path, { force: true });
  }
  return foreign;
}

/** Null is that of no process. */
function mark(text: string | null): string | null {
  return text === null ? null : createHash('sha256').update(text).digest('hex').slice(0, 8);
}

import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './boot-error';

const POLL_MS = 20;
const PS_TIMEOUT_MS = 5_000;

/**
 * Whether a process runs under the pid. A zombie, common in containers without an init, does not
 * count, although it still accepts signals.
 */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it exists and belongs to another user.
    if (errorCode(error) !== 'EPERM') return false;
  }
  return readStatFields(pid)?.[0] !== 'Z';
}

/**
 * Distinguishes a process from later ones with the same pid: its start time, and on Linux the boot
 * id.
 * @returns null if no such process runs
 */
export function getProcessIdentity(pid: number): string | null {
  if (!isAlive(pid)) return null;
  if (process.platform !== 'linux') return ps(pid, 'lstart=');
  const startTicks = readStatFields(pid)?.[19];
  return startTicks ? `${readText('/proc/sys/kernel/random/boot_id')?.trim()}:${startTicks}` : null;
}

/** Whether the process is a postgres with the given data folder. */
export function isPostgresWithDataFolder(pid: number, clusterDir: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform === 'linux') {
    try {
      // Every PostgreSQL process has its data folder as cwd, and "postgres" in its title.
      const title = readText(`/proc/${pid}/cmdline`) ?? '';
      return readlinkSync(`/proc/${pid}/cwd`) === clusterDir && title.includes('postgres');
    } catch {
      return false;
    }
  }
  const command = ps(pid, 'command=') ?? '';
  return command.includes('postgres') && command.includes(clusterDir);
}

/** Waits until the process has exited. @returns false if it still runs after the timeout */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** The fields of /proc/<pid>/stat from the state on; the name before may contain spaces and `)`. */
function readStatFields(pid: number): string[] | null {
  const text = process.platform === 'linux' ? readText(`/proc/${pid}/stat`) : null;
  return text ? text.slice(text.lastIndexOf(')') + 2).split(' ') : null;
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function ps(pid: number, format: string): string | null {
  try {
    const out = execFileSync('ps', ['-o', format, '-p', String(pid)], {
      encoding: 'utf8',
      timeout: PS_TIMEOUT_MS,
    });
    return out.trim() || null;
  } catch {
    return null;
  }
}

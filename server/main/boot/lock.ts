import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { link, mkdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { BootError, errorCode } from '../../platform/process/boot-error';
import { writePrivateFile } from '../../platform/process/private-file';
import { getProcessIdentity } from '../../platform/process/process-identity';

const ATTEMPTS = 200;
const RETRY_MS = 25;
/** A takeover takes milliseconds; an older one was left by a crash. */
const TAKEOVER_STALE_MS = 5_000;

const holderSchema = z.object({
  pid: z.number().int().positive(),
  identity: z.string(),
  /** What holds it: `the gateway` or `a command of the gateway`. */
  what: z.string(),
  address: z.string().nullable(),
  token: z.string(),
});

/** The process that holds the data folder. */
export type LockHolder = z.output<typeof holderSchema>;

/** The exclusive right of one process to use a data folder. */
export interface Lock {
  /** Publishes the address of this process for later starts. */
  setAddress(address: string): Promise<void>;
  release(): void;
}

/** Another process already uses the data folder. */
export class AlreadyRunningError extends BootError {
  constructor(readonly holder: LockHolder) {
    const where = holder.address ? ` at ${holder.address}` : '';
    super(
      `Already running: ${holder.what} with process id ${holder.pid}${where} uses this data folder.\n` +
        `Stop it first (kill ${holder.pid}), or start this one with another DATA_DIR.`,
    );
  }
}

/**
 * Acquires the lock. Takes over one of a dead process, even if another process has reused its pid.
 * @param path the lock file
 * @param what shown to the process that finds the lock taken
 * @throws AlreadyRunningError if a running process holds it
 */
export async function acquireLock(path: string, what: string): Promise<Lock> {
  const mine: LockHolder = {
    pid: process.pid,
    identity: getProcessIdentity(process.pid) ?? '',
    what,
    address: null,
    token: randomBytes(12).toString('hex'),
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (await tryToCreate(path, mine)) return lockHandle(path, mine);
    const text = await readText(path);
    if (text === null) continue;
    const holder = parseHolder(text);
    if (holder && isHeld(holder)) throw new AlreadyRunningError(holder);
    await removeStale(path, text);
  }
  throw new BootError(`Cannot acquire the lock ${path}: remove it if no gateway uses this data folder.`);
}

/** Returns the current holder of the lock, or null. */
export async function findLockHolder(path: string): Promise<LockHolder | null> {
  const text = await readText(path);
  const holder = text === null ? null : parseHolder(text);
  return holder && isHeld(holder) ? holder : null;
}

function isHeld(holder: LockHolder): boolean {
  return getProcessIdentity(holder.pid) === holder.identity;
}

/** A hard link is atomic and fails if the name exists, so a partial lock is never visible. */
async function tryToCreate(path: string, holder: LockHolder): Promise<boolean> {
  const whole = `${path}.${holder.token}`;
  await writePrivateFile(whole, JSON.stringify(holder));
  try {
    await link(whole, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(whole, { force: true });
  }
}

/**
 * Removes a stale lock. Without the guard, a second process could remove the new lock of the first.
 */
async function removeStale(path: string, staleText: string): Promise<void> {
  const guard = `${path}.takeover`;
  try {
    await mkdir(guard);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const age = await stat(guard).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > TAKEOVER_STALE_MS) await rmdir(guard).catch(() => undefined);
    else await sleep(RETRY_MS);
    return;
  }
  try {
    if ((await readText(path)) === staleText) await rm(path, { force: true });
  } finally {
    await rmdir(guard).catch(() => undefined);
  }
}

function lockHandle(path: string, mine: LockHolder): Lock {
  return {
    setAddress: (address) => writePrivateFile(path, JSON.stringify({ ...mine, address })),
    // Synchronous, so that it also works in a process about to exit.
    release() {
      try {
        if (parseHolder(readFileSync(path, 'utf8'))?.token === mine.token) rmSync(path, { force: true });
      } catch {
        // Already removed.
      }
    },
  };
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function parseHolder(text: string): LockHolder | null {
  try {
    return holderSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

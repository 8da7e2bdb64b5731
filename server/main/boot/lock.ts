import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { link, mkdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { BootError, errorCode } from '../../platform/process/boot-error';
import { writePrivateFile } from '../../platform/process/private-file';
import { processIdentity } from '../../platform/process/process-identity';

const ATTEMPTS = 200;
const RETRY_MS = 25;
/** A takeover lasts milliseconds: an older one was left by a crash. */
const TAKEOVER_STALE_MS = 5_000;

const holderSchema = z.object({
  pid: z.number().int().positive(),
  identity: z.string(),
  /** What holds it: `the gateway`, `a command`. */
  what: z.string(),
  address: z.string().nullable(),
  token: z.string(),
});

/** Who has the data folder. */
export type LockHolder = z.output<typeof holderSchema>;

/** The right to use a data folder: one process at a time. */
export interface Lock {
  /** Tells later starts where this one can be reached. */
  setAddress(address: string): Promise<void>;
  release(): void;
}

/** Said to the second start of a gateway. */
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
 * Takes the lock; one left by a process that is gone (also when its pid now belongs to another) is taken over.
 * @param path the lock file
 * @param what shown to whoever comes second
 * @throws AlreadyRunningError where a living process has it
 */
export async function acquireLock(path: string, what: string): Promise<Lock> {
  const mine: LockHolder = {
    pid: process.pid,
    identity: processIdentity(process.pid) ?? '',
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
    await takeAway(path, text);
  }
  throw new BootError(`Cannot take the lock ${path}: remove it if no gateway uses this data folder.`);
}

/** Who holds the lock now, or null. */
export async function findLockHolder(path: string): Promise<LockHolder | null> {
  const text = await readText(path);
  const holder = text === null ? null : parseHolder(text);
  return holder && isHeld(holder) ? holder : null;
}

function isHeld(holder: LockHolder): boolean {
  return processIdentity(holder.pid) === holder.identity;
}

/** A hard link appears whole and fails where the name exists: nobody ever reads a half-written lock. */
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

/** Removes a stale lock. The guard keeps two takers apart: the slower one would remove the faster one's new lock. */
async function takeAway(path: string, staleText: string): Promise<void> {
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
    // Synchronous, so that a process about to exit can still do it.
    release() {
      try {
        if (parseHolder(readFileSync(path, 'utf8'))?.token === mine.token) rmSync(path, { force: true });
      } catch {
        // Gone already: nothing to give back.
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

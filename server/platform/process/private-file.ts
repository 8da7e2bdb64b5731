import { randomBytes } from 'node:crypto';
import { chmod, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './boot-error';

const PRIVATE_MODE = 0o600;

/**
 * Writes a file only its owner can read, whole or not at all: a crash leaves the old content or the new one.
 * @param path where; its folder must exist
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', PRIVATE_MODE);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/**
 * Reads a private file, closing its mode to 0600 where someone opened it wider.
 * @returns its text, or null where there is none
 */
export async function readPrivateFile(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path);
    if ((mode & 0o077) !== 0) await chmod(path, PRIVATE_MODE);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Makes a rename inside the folder survive a power cut. Windows and some file systems cannot: they go without. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => null);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

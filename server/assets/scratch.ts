import { randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Runtime } from '../core/runtime';
import { hasCode, removeFolder } from '../kit/opened-folder';

const FOLDER = 'scratch';
const TRASH = 'scratch-removed';
const HOUR_MS = 3_600_000;

/** Where all these folders are; workers see it, and nothing else of the data folder. */
export function scratchParent({ dataDir }: { dataDir: string }): string {
  return join(dataDir, FOLDER);
}

/** A new folder for work on files; whoever makes it removes it. */
export async function makeScratch({ settings }: Pick<Runtime, 'settings'>, name: string): Promise<string> {
  const parent = scratchParent(settings);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return await mkdtemp(join(parent, `${name}-`));
}

/**
 * Removes a folder with its files, out of the workers' sight: only one that has it open still
 * reaches it.
 */
export async function removeScratch(folder: string): Promise<void> {
  const trash = join(dirname(dirname(folder)), TRASH);
  await mkdir(trash, { recursive: true, mode: 0o700 });
  const moved = join(trash, randomUUID());
  try {
    await rename(folder, moved);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return;
    throw error;
  }
  await removeFolder(moved);
}

/** Removes what dead processes left: nothing works on files for longer than a handler may run. */
export async function sweepScratch({ settings }: Pick<Runtime, 'settings'>): Promise<number> {
  const parent = scratchParent(settings);
  const oldest = Date.now() - settings.handlerTimeoutSeconds * 1000 - HOUR_MS;
  const trash = join(settings.dataDir, TRASH);
  for (const name of await readdir(trash).catch(() => [])) await removeFolder(join(trash, name));
  let removed = 0;
  for (const name of await readdir(parent).catch(() => [])) {
    const folder = join(parent, name);
    const made = await lstat(folder).catch(() => null);
    if (!made || made.mtimeMs > oldest) continue;
    await removeScratch(folder);
    removed++;
  }
  return removed;
}

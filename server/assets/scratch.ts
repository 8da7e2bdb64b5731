import { randomUUID } from 'node:crypto';
import { lstat, mkdir, mkdtemp, readdir, realpath, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Runtime } from '../core/runtime';
import { hasCode, removeFolder } from '../kit/opened-folder';

const FOLDER = 'scratch';
const TRASH = 'scratch-removed';
const HOUR_MS = 3_600_000;

/**
 * Parent of all scratch folders; the only part of the data folder that workers can read. It may be
 * a link, such as to a faster disk.
 */
export function scratchParent({ dataDir }: { dataDir: string }): string {
  return join(dataDir, FOLDER);
}

/** Creates a scratch folder at its real path, which workers see; the caller must remove it. */
export async function makeScratch({ settings }: Pick<Runtime, 'settings'>, name: string): Promise<string> {
  const parent = scratchParent(settings);
  await mkdir(parent, { recursive: true, mode: 0o700 });
  return await mkdtemp(join(await realpath(parent), `${name}-`));
}

/**
 * Removes a scratch folder. It is first moved out of reach of the workers; only a worker with an
 * open handle can still use it.
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

/** Removes folders of dead processes: no handler may run longer than this. */
export async function sweepScratch({ settings }: Pick<Runtime, 'settings'>): Promise<number> {
  const parent = await realpath(scratchParent(settings)).catch(() => null);
  if (parent === null) return 0;
  const oldest = Date.now() - settings.handlerTimeoutSeconds * 1000 - HOUR_MS;
  const trash = join(dirname(parent), TRASH);
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

import { mkdtempSync, utimesSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../kit/opened-folder';

const PREFIX = 'gateway-browser-';
/** A browser that runs has had a page since then, and each page touches the folder. */
const ABANDONED_MS = 10 * 60_000;

/** A folder for one browser: its profiles, and the files of its pages. */
export function makeBrowserFolder(): string {
  return mkdtempSync(join(tmpdir(), PREFIX));
}

/** Keeps the folder of a browser that is used from being swept. */
export function touchBrowserFolder(folder: string): void {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // The browser has just ended, and removed it.
  }
}

/**
 * Removes what gateways left that were killed. By age, not by process: another gateway on this
 * machine may be in a container, where its numbers of processes are others. Never throws.
 */
export async function sweepBrowserFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => null);
    // In a folder that all users share, only what is ours.
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    if (found.mtimeMs < Date.now() - ABANDONED_MS) await removeFolder(path).catch(() => undefined);
  }
}

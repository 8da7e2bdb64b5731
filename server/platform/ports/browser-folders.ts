import { mkdtempSync, utimesSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeFolder } from '../../kit/opened-folder';

const PREFIX = 'gateway-browser-';
/** A running browser has had a page within this time, and each page touches its folder. */
const ABANDONED_MS = 10 * 60_000;

/** Creates a folder for one browser: its profiles, and the files of its pages. */
export function makeBrowserFolder(): string {
  return mkdtempSync(join(tmpdir(), PREFIX));
}

/** Marks a browser's folder as in use, so that it is not swept. */
export function touchBrowserFolder(folder: string): void {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // The browser has just exited and removed its folder.
  }
}

/**
 * Removes folders that killed gateways left behind. Goes by age, because another gateway on this
 * machine may run in a container, where pids differ. Never throws.
 */
export async function sweepBrowserFolders(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => []);
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => null);
    // The temporary folder is shared: only this user's folders.
    if (!found?.isDirectory() || found.uid !== process.getuid?.()) continue;
    if (found.mtimeMs < Date.now() - ABANDONED_MS) await removeFolder(path).catch(() => undefined);
  }
}

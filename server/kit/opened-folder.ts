import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, opendir, rename, rm, rmdir, unlink } from 'node:fs/promises';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const isLinux = process.platform === 'linux';
/** Attempts to remove a folder to which files are added at the same time. */
const MAX_ATTEMPTS = 5;
/**
 * Entries removed per attempt. If a process keeps adding files, the next sweep removes the rest.
 */
const MAX_ENTRIES = 1_000_000;

/**
 * A folder held open by its descriptor. On Linux its paths go through the descriptor, so replacing
 * the folder does not redirect them.
 */
export class OpenedFolder {
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = isLinux ? `/proc/self/fd/${handle.fd}` : path;
  }

  /** @throws if the folder does not exist or is a symbolic link */
  static async open(path: string): Promise<OpenedFolder> {
    return new OpenedFolder(await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path);
  }

  /** The path of an entry, valid until the folder is closed. */
  getEntryPath(name: string): string {
    return `${this.#path}/${name}`;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * Removes a folder with its content, or a symbolic link at its path. Follows no links, although
 * confined processes may change the content at the same time. Only the gateway may have write
 * access to the parent folders.
 * @throws if a part of it could not be removed
 */
export async function removeFolder(path: string): Promise<void> {
  // Only Linux confines processes to the folder. Elsewhere, a process that could swap the content
  // could remove the target as well.
  if (!isLinux) return await rm(path, { recursive: true, force: true });
  for (let attempt = 1; ; attempt++) {
    try {
      if (await unlinkEntry(path)) return;
      await emptyFolder(path);
      return await rmdir(path);
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return;
      if (!hasCode(error, 'ENOTEMPTY') || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}

/** Moves nested folders to the top level and empties them there, so two descriptors are enough. */
async function emptyFolder(path: string): Promise<void> {
  const top = await OpenedFolder.open(path);
  try {
    const folders: string[] = [];
    let left = MAX_ENTRIES;
    const removeEntries = async (folder: OpenedFolder) => {
      for await (const { name } of await opendir(folder.getEntryPath('.'))) {
        if (left-- === 0) throw new Error(`More than ${MAX_ENTRIES} files in ${path}`);
        if (await unlinkEntry(folder.getEntryPath(name))) continue;
        const moved = randomUUID();
        await rename(folder.getEntryPath(name), top.getEntryPath(moved)).then(
          () => folders.push(moved),
          ignoreChange,
        );
      }
    };
    await removeEntries(top);
    for (let name = folders.pop(); name !== undefined; name = folders.pop()) {
      const folder = await OpenedFolder.open(top.getEntryPath(name)).catch(ignoreChange);
      if (!folder) continue;
      await removeEntries(folder).finally(() => folder.close());
      await rmdir(top.getEntryPath(name)).catch(ignoreChange);
    }
  } finally {
    await top.close();
  }
}

/** Removes a file or link, missing ones included. Returns false for a folder. */
export async function unlinkEntry(path: string): Promise<boolean> {
  try {
    await unlink(path);
  } catch (error) {
    if (hasCode(error, 'EISDIR', 'EPERM')) return false;
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return true;
}

/** Ignores concurrent changes: the next attempt sees them. */
function ignoreChange(error: unknown): void {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENOTEMPTY')) throw error;
}

/** Whether it is a file system error with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

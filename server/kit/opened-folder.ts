import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open, opendir, rename, rm, rmdir, unlink } from 'node:fs/promises';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
const isLinux = process.platform === 'linux';
/** What is added while a folder is being emptied is removed too, so often. */
const MAX_ATTEMPTS = 5;
/**
 * What is still there then is left to the next sweep: a process may add files faster than they are
 * removed.
 */
const MAX_ENTRIES = 1_000_000;

/**
 * A folder that stays the same one, whatever is put in its place: on Linux its paths lead through
 * its descriptor.
 */
export class OpenedFolder {
  readonly #handle: FileHandle;
  readonly #path: string;

  private constructor(handle: FileHandle, path: string) {
    this.#handle = handle;
    this.#path = isLinux ? `/proc/self/fd/${handle.fd}` : path;
  }

  /** @throws where there is none, or a link in its place */
  static async open(path: string): Promise<OpenedFolder> {
    return new OpenedFolder(await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path);
  }

  /** The path of an entry, valid until the folder is closed. */
  pathOf(name: string): string {
    return `${this.#path}/${name}`;
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * Removes a folder with its content, or a link in its place, and follows no link, although confined
 * processes may change the content meanwhile. Only the gateway may be able to change what is above
 * the folder.
 * @throws where something of it is left
 */
export async function removeFolder(path: string): Promise<void> {
  // Elsewhere no process is confined to the folder: who could swap its content could remove the
  // target as well.
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

/**
 * Folders in it are moved to its top level and emptied there, so that no depth needs more than two
 * descriptors.
 */
async function emptyFolder(path: string): Promise<void> {
  const top = await OpenedFolder.open(path);
  try {
    const folders: string[] = [];
    let left = MAX_ENTRIES;
    const removeEntries = async (folder: OpenedFolder) => {
      for await (const { name } of await opendir(folder.pathOf('.'))) {
        if (left-- === 0) throw new Error(`More than ${MAX_ENTRIES} files in ${path}`);
        if (await unlinkEntry(folder.pathOf(name))) continue;
        const moved = randomUUID();
        await rename(folder.pathOf(name), top.pathOf(moved)).then(() => folders.push(moved), ignoreChange);
      }
    };
    await removeEntries(top);
    for (let name = folders.pop(); name !== undefined; name = folders.pop()) {
      const folder = await OpenedFolder.open(top.pathOf(name)).catch(ignoreChange);
      if (!folder) continue;
      await removeEntries(folder).finally(() => folder.close());
      await rmdir(top.pathOf(name)).catch(ignoreChange);
    }
  } finally {
    await top.close();
  }
}

/** Removes a file or link, also where it has gone already; false where it is a folder. */
export async function unlinkEntry(path: string): Promise<boolean> {
  try {
    await unlink(path);
  } catch (error) {
    if (hasCode(error, 'EISDIR', 'EPERM')) return false;
    if (!hasCode(error, 'ENOENT')) throw error;
  }
  return true;
}

/** What was changed meanwhile is found again by the next attempt. */
function ignoreChange(error: unknown): void {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP', 'ENOTEMPTY')) throw error;
}

/** Whether it is a failure of the file system of one of these kinds. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes((error as NodeJS.ErrnoException).code ?? '');
}

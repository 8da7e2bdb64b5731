import { constants, openAsBlob } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { hasCode, OpenedFolder, unlinkEntry } from '../../kit/opened-folder';

// A compromised worker can replace any file or folder of a call by a symbolic link. The gateway has
// more access than the worker, so it opens these files only here, and follows no links.

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const READ_PIECE_BYTES = 64 * 1024;

/**
 * Creates a file of a call, replacing any existing one. Await it before creating other streams:
 * their errors would have no listener until then.
 */
export async function createScratchFile(path: string): Promise<Writable> {
  const file = await openInFolder(path, async (opened) => {
    await unlinkEntry(opened);
    return await openPlain(opened, O_WRONLY | O_CREAT | O_EXCL);
  });
  return file.createWriteStream();
}

/** Reads a file of a call. It opens on the first read, because an unread stream would stay open. */
export async function* readScratchFile(
  path: string,
  { pieceBytes = READ_PIECE_BYTES } = {},
): AsyncGenerator<Buffer> {
  const file = await openInFolder(path, (opened) => openPlain(opened, O_RDONLY));
  yield* file.createReadStream({ highWaterMark: pieceBytes });
}

/** Passes a file to `use` as a Blob that reads from disk, and fails if the file was changed. */
export async function withScratchBlob<Result>(
  path: string,
  use: (blob: Blob) => Promise<Result>,
  options: { type?: string } = {},
): Promise<Result> {
  const file = await openInFolder(path, (opened) => openPlain(opened, O_RDONLY));
  try {
    // A Blob opens its path on each read, when a worker may have replaced the file.
    const stable = process.platform === 'linux' ? `/proc/self/fd/${file.fd}` : path;
    return await use(await openAsBlob(stable, options));
  } finally {
    await file.close();
  }
}

/**
 * Opens a file through a handle of its folder, because a worker may replace the folder at any time.
 */
async function openInFolder(
  path: string,
  openFile: (path: string) => Promise<FileHandle>,
): Promise<FileHandle> {
  const folder = await OpenedFolder.open(dirname(path)).catch((error) => {
    throw hasCode(error, 'ENOTDIR', 'ELOOP') ? new Error('The folder of a call was replaced.') : error;
  });
  try {
    return await openFile(folder.getEntryPath(basename(path)));
  } finally {
    await folder.close();
  }
}

/** @throws {Error} if it is not a regular file */
async function openPlain(path: string, flags: number): Promise<FileHandle> {
  // Non-blocking, because opening a pipe in place of the file would block forever.
  const file = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (!(await file.stat()).isFile()) throw new Error('A file of a call was replaced.');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

import { constants, openAsBlob } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { hasCode, OpenedFolder, unlinkEntry } from '../../kit/opened-folder';

// A worker that was taken over can put a symbolic link in place of any file or folder of a call.
// The gateway, which may read and write more than the worker, follows none: every file of a call is
// opened here.

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const READ_PIECE_BYTES = 64 * 1024;

/**
 * A new file of a call, in place of what may be there. Await it before a stream for it is made: an
 * error of that stream would have no listener meanwhile.
 */
export async function createScratchFile(path: string): Promise<Writable> {
  const file = await openInFolder(path, async (opened) => {
    await unlinkEntry(opened);
    return await openPlain(opened, O_WRONLY | O_CREAT | O_EXCL);
  });
  return file.createWriteStream();
}

/**
 * The bytes of a file of a call, opened when they are asked for: a stream that nobody reads would
 * keep it open.
 */
export async function* readScratchFile(
  path: string,
  { pieceBytes = READ_PIECE_BYTES } = {},
): AsyncGenerator<Buffer> {
  const file = await openInFolder(path, (opened) => openPlain(opened, O_RDONLY));
  yield* file.createReadStream({ highWaterMark: pieceBytes });
}

/**
 * The same as a Blob, which stays on the disk and is read while `use` runs; one that is changed
 * before fails.
 */
export async function withScratchBlob<Result>(
  path: string,
  use: (blob: Blob) => Promise<Result>,
  options: { type?: string } = {},
): Promise<Result> {
  const file = await openInFolder(path, (opened) => openPlain(opened, O_RDONLY));
  try {
    // A Blob opens its path whenever it is read: by then another file may be there.
    const stable = process.platform === 'linux' ? `/proc/self/fd/${file.fd}` : path;
    return await use(await openAsBlob(stable, options));
  } finally {
    await file.close();
  }
}

/**
 * Opens a file by a path that leads through its folder, opened first: a worker may replace that at
 * any moment.
 */
async function openInFolder(
  path: string,
  openFile: (path: string) => Promise<FileHandle>,
): Promise<FileHandle> {
  const folder = await OpenedFolder.open(dirname(path)).catch((error) => {
    throw hasCode(error, 'ENOTDIR', 'ELOOP') ? new Error('The folder of a call was replaced.') : error;
  });
  try {
    return await openFile(folder.pathOf(basename(path)));
  } finally {
    await folder.close();
  }
}

/** @throws where it is no plain file */
async function openPlain(path: string, flags: number): Promise<FileHandle> {
  // Not waiting: a pipe in place of the file would be waited for without end.
  const file = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (!(await file.stat()).isFile()) throw new Error('A file of a call was replaced.');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

import { constants, openAsBlob } from 'node:fs';
import { type FileHandle, open, readlink, realpath, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';

// A worker that was taken over can put a symbolic link in place of any file or folder of a call. The gateway, which may
// read and write more than the worker, follows none: every file of a call is opened here.

const { O_RDONLY, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK } = constants;
const READ_PIECE_BYTES = 64 * 1024;

/** A new file of a call, in place of what may be there. */
export async function createScratchFile(path: string): Promise<Writable> {
  await rm(path, { force: true });
  const file = await openInPlace(path, O_WRONLY | O_CREAT | O_EXCL);
  return file.createWriteStream();
}

/** The bytes of a file of a call, opened when they are asked for: a stream that nobody reads would keep it open. */
export async function* readScratchFile(
  path: string,
  { pieceBytes = READ_PIECE_BYTES } = {},
): AsyncGenerator<Buffer> {
  const file = await openInPlace(path, O_RDONLY);
  yield* file.createReadStream({ highWaterMark: pieceBytes });
}

/** The same as a Blob, which stays on the disk; one that is changed before it is read fails. */
export async function openScratchBlob(path: string, options: { type?: string } = {}): Promise<Blob> {
  const file = await openInPlace(path, O_RDONLY);
  try {
    return await openAsBlob(path, options);
  } finally {
    await file.close();
  }
}

/** @throws where it is no plain file, or is not where its path says */
async function openInPlace(path: string, flags: number): Promise<FileHandle> {
  // Not waiting: a pipe in place of the file would be waited for without end.
  const file = await open(path, flags | O_NOFOLLOW | O_NONBLOCK, 0o600);
  try {
    if (!(await file.stat()).isFile() || !(await isInPlace(file, path)))
      throw new Error('A file of a call was replaced.');
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Of its path, the folder of the call and the file are a worker's to replace; what is above is ours. */
async function isInPlace(file: FileHandle, path: string): Promise<boolean> {
  const folder = dirname(path);
  const expected = join(await realpath(dirname(folder)), basename(folder), basename(path));
  const opened =
    process.platform === 'linux' ? await readlink(`/proc/self/fd/${file.fd}`) : await realpath(path);
  return opened === expected;
}

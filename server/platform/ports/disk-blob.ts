import { type FileHandle, mkdir, open, opendir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { withErrorListener } from '../../kit/error-listener';
import type { BlobStore } from './ports';

/** The suffix of a file that is still being written. */
const PART_SUFFIX = '.part';

/** Stores bytes in files below one folder; a value appears under its key complete or not at all. */
export function createDiskBlobStore(folder: string): BlobStore {
  const root = resolve(folder);
  const resolvePath = (key: string): string => {
    const path = resolve(join(root, key));
    if (!path.startsWith(root + sep)) throw new Error('The key points outside the store');
    return path;
  };
  return {
    async put(key, bytes) {
      const path = resolvePath(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const part = path + PART_SUFFIX;
      const file = await open(part, 'w', 0o600);
      let sizeBytes = 0;
      try {
        for await (const chunk of bytes) {
          await writeAll(file, chunk);
          sizeBytes += chunk.byteLength;
        }
        await file.sync();
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      } finally {
        await file.close();
      }
      await rename(part, path);
      return { sizeBytes };
    },
    async read(key, range) {
      // Opened now, so that a value that is deleted during the read is still read to its end.
      const file = await open(resolvePath(key)).catch((error) => {
        if (isMissing(error)) return null;
        throw error;
      });
      return file ? withErrorListener(file.createReadStream(range)) : null;
    },
    async delete(key) {
      const path = resolvePath(key);
      await rm(path, { force: true });
      await rm(path + PART_SUFFIX, { force: true });
    },
    async *list(prefix) {
      const start = resolvePath(`${prefix}x`).slice(0, -1);
      for await (const path of listFiles(start)) {
        const key = path
          .slice(root.length + 1)
          .split(sep)
          .join('/');
        yield key.endsWith(PART_SUFFIX) ? key.slice(0, -PART_SUFFIX.length) : key;
      }
    },
  };
}

/** A nearly full disk writes part of a chunk without an error; only the next write fails. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; )
    at += (await file.write(chunk, at, chunk.byteLength - at)).bytesWritten;
}

/** Opens one folder at a time: a store may hold millions of files. */
async function* listFiles(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch((error) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* listFiles(path);
    else if (entry.isFile()) yield path;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

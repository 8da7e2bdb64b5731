import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { BlobStore } from './ports';

/** Bytes under one folder; a value appears under its key whole or not at all. */
export function createDiskBlobStore(folder: string): BlobStore {
  const root = resolve(folder);
  const pathOf = (key: string): string => {
    const path = resolve(join(root, key));
    if (!path.startsWith(root + sep)) throw new Error('The key leaves the store');
    return path;
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const part = `${path}.part`;
      const file = await open(part, 'w', 0o600);
      let sizeBytes = 0;
      try {
        for await (const chunk of bytes) {
          await file.write(chunk);
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
      const path = pathOf(key);
      const found = await stat(path).catch(() => null);
      return found?.isFile() ? createReadStream(path, range) : null;
    },
    async delete(key) {
      await rm(pathOf(key), { force: true });
    },
  };
}

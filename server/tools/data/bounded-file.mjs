import { open } from 'node:fs/promises';
import { Refusal } from '../../kit/worker-refusal.mjs';

/**
 * Enough for any form of an ordinary file of 100 MiB, but not for a million short rows in a
 * thousand columns.
 */
const MAX_BYTES = 320 * 1024 * 1024;

/**
 * Writes a scratch file and closes it.
 * @param {string} path
 * @param {(write: (data: string | Uint8Array) => Promise<void>) => Promise<unknown>} fill
 * @param {number} [maxBytes]
 * @throws {Refusal} if it becomes too large
 */
export async function writeBounded(path, fill, maxBytes = MAX_BYTES) {
  const file = await open(path, 'w');
  let size = 0;
  try {
    await fill(async (data) => {
      size += Buffer.byteLength(data);
      if (size > maxBytes)
        throw new Refusal('the table is too large as UTF-8 with all values of its rows. Split the file.');
      await file.writeFile(data);
    });
  } finally {
    await file.close();
  }
}

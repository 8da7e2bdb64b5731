import { open } from 'node:fs/promises';

const BLOCK_BYTES = 1024 * 1024;

/**
 * Reads a file block by block; what a block's consumer leaves is put in front of the next block.
 * @param {string} path
 * @param {number} from offset in the file
 * @param {(bytes: Buffer, to: number, isLast: boolean) => number | Promise<number>} consume returns
 *   the offset of the first byte that it leaves, or -1 to stop
 * @param {number} maxBytes largest rest
 * @returns {Promise<boolean>} whether the file was read to its end: false if a rest was too long or
 *   the consumer stopped
 */
export async function readBlocks(path, from, consume, maxBytes) {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    let block = Buffer.allocUnsafe(BLOCK_BYTES);
    let rest = 0;
    for (let position = from; ; ) {
      const { bytesRead } = await file.read(block, rest, block.length - rest, position);
      position += bytesRead;
      const to = rest + bytesRead;
      const isLast = bytesRead === 0 || position >= size;
      const at = await consume(block, to, isLast);
      if (at < 0) return false;
      if (isLast) return true;
      rest = to - at;
      if (rest > maxBytes) return false;
      const next = rest > block.length / 2 ? Buffer.allocUnsafe(block.length * 2) : block;
      block.copy(next, 0, at, to);
      block = next;
    }
  } finally {
    await file.close();
  }
}

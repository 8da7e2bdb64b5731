import { open } from 'node:fs/promises';

const SNIFFED_BYTES = 4_096;

/**
 * Detects the format of a file by its first bytes and its extension; CSV by default.
 * @param {{ path: string, filename: string }} file
 * @returns {Promise<'csv' | 'json' | 'parquet'>}
 */
export async function detectFormat({ path, filename }) {
  const bytes = Buffer.alloc(SNIFFED_BYTES);
  const file = await open(path);
  const { bytesRead } = await file.read(bytes, 0, SNIFFED_BYTES, 0).finally(() => file.close());
  const text = bytes
    .toString('utf8', 0, bytesRead)
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text.startsWith('PAR1')) return 'parquet';
  if (/\.(csv|tsv|txt)$/i.test(filename)) return 'csv';
  return /^[{[]/.test(text) ? 'json' : 'csv';
}

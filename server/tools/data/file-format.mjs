import { open } from 'node:fs/promises';
import { Refusal } from '../../kit/worker-refusal.mjs';

const SNIFFED_BYTES = 4_096;
/** ZIP, which workbooks are, and gzip. */
const ARCHIVES = ['PK\u0003\u0004', '\u001f\u008b'];

/**
 * Detects the format of a file by its first bytes and its extension; CSV by default.
 * @param {{ path: string, filename: string }} file
 * @returns {Promise<'csv' | 'json' | 'parquet'>}
 * @throws {Refusal} if it is an archive
 */
export async function detectFormat({ path, filename }) {
  const bytes = Buffer.alloc(SNIFFED_BYTES);
  const file = await open(path);
  const { bytesRead } = await file.read(bytes, 0, SNIFFED_BYTES, 0).finally(() => file.close());
  const head = bytes.toString('latin1', 0, bytesRead);
  if (head.startsWith('PAR1')) return 'parquet';
  if (ARCHIVES.some((start) => head.startsWith(start)))
    throw new Refusal(`${filename}: is an archive or a workbook. Unpack it, or save the sheet as CSV.`);
  if (/\.(csv|tsv)$/i.test(filename)) return 'csv';
  // Without byte order marks and the zeros of UTF-16.
  const text = head
    .replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .replaceAll('\0', '')
    .trimStart();
  // A log may begin with a bracket.
  const isJson = /\.txt$/i.test(filename) ? /^(\{\s*"|\[\s*[{[])/ : /^[{[]/;
  return isJson.test(text) ? 'json' : 'csv';
}

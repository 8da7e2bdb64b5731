import { Zip, ZipDeflate } from 'fflate';

/** A file of an archive. */
export interface ZipFile {
  name: string;
  bytes: Uint8Array;
  modifiedAt: Date;
}

/** A year of receipts is far below; fflate writes no 64-bit extension, which begins above them. */
const MAX_FILES = 0xffff;
const MAX_BYTES = 0xffffffff;
/** The format has no earlier time. */
const FIRST_TIME = new Date('1980-01-02T00:00:00Z');

/**
 * Writes a ZIP archive, a file at a time.
 * @throws Error for more than the format holds without its 64-bit extension
 */
export async function* writeZip(files: AsyncIterable<ZipFile>): AsyncGenerator<Uint8Array> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    written.push(chunk);
  });
  let [count, size] = [0, 0];
  for await (const { name, bytes, modifiedAt } of files) {
    size += bytes.length;
    if (++count > MAX_FILES || size > MAX_BYTES) throw new Error('A ZIP archive cannot hold as many files');
    // PDFs are compressed already, and the thread serves others.
    const file = new ZipDeflate(name, { level: 1 });
    file.mtime = modifiedAt < FIRST_TIME ? FIRST_TIME : modifiedAt;
    zip.add(file);
    file.push(bytes, true);
    yield* written.splice(0);
  }
  zip.end();
  yield* written.splice(0);
}

import { crc32, inflateRawSync } from 'node:zlib';

const DIRECTORY_END_BYTES = 22;

/** The files of a ZIP archive by its directory, as programs that open archives read it. */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf('PK\x05\x06');
  if (end < 0 || end + DIRECTORY_END_BYTES + zip.readUInt16LE(end + 20) !== zip.length)
    throw new Error('The archive does not end with its directory');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, sum, packed] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 16),
      zip.readUInt32LE(at + 20),
    ];
    const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28));
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + packed);
    const file = method === 0 ? bytes : inflateRawSync(bytes);
    if (zip.toString('latin1', local, local + 4) !== 'PK\x03\x04' || crc32(file) !== sum)
      throw new Error(`${name} is damaged`);
    if (files.has(name)) throw new Error(`${name} is twice in the archive`);
    files.set(name, file);
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  if (at !== end) throw new Error('The directory of the archive has another length');
  return files;
}

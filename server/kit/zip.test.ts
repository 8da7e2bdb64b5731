import { expect, it } from 'vitest';
import { readZip } from '@/test/support/read-zip';
import { writeZip, type ZipFile } from './zip';

async function zip(files: readonly ZipFile[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of writeZip(
    (async function* () {
      yield* files;
    })(),
  ))
    parts.push(part);
  return Buffer.concat(parts);
}

const AT = new Date(2026, 10, 29, 23, 58, 59);

it('writes files of any bytes and names, which a reader of the directory gets back', async () => {
  const files = [
    { name: 'receipts/R-000001.pdf', bytes: Buffer.from('PK\x01\x02 is no header here'), modifiedAt: AT },
    { name: 'Söhne & 会社.csv', bytes: Buffer.from([0xff, 0, 0x50, 0x4b]), modifiedAt: AT },
    { name: 'empty.txt', bytes: Buffer.alloc(0), modifiedAt: new Date(0) },
  ];
  const read = readZip(await zip(files));
  expect([...read.keys()]).toEqual(files.map(({ name }) => name));
  for (const { name, bytes } of files) expect(read.get(name)?.equals(bytes), name).toBe(true);
});

it('writes the local time of a file, as the format wants, not before 1980', async () => {
  const times = async (modifiedAt: Date) => {
    const bytes = await zip([{ name: 'a', bytes: Buffer.from('x'), modifiedAt }]);
    const [time, date] = [bytes.readUInt16LE(10), bytes.readUInt16LE(12)];
    return [1980 + (date >> 9), (date >> 5) & 15, date & 31, time >> 11, (time >> 5) & 63, (time & 31) * 2];
  };
  expect(await times(AT)).toEqual([2026, 11, 29, 23, 58, 58]);
  expect((await times(new Date(0)))[0]).toBe(1980);
});

it('of no files is an empty archive', async () => {
  expect(readZip(await zip([])).size).toBe(0);
});

it('refuses more files than the format counts', async () => {
  const empty = { name: 'a', bytes: Buffer.alloc(0), modifiedAt: AT };
  await expect(zip(Array.from({ length: 65_536 }, () => empty))).rejects.toThrow('cannot hold');
});

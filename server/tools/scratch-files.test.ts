import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeScratch } from '../assets/scratch';
import { createScratchFile, openScratchBlob, readScratchFile } from './scratch-files';

let data = '';
let call = '';
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'scratch-files-'));
  await writeFile(join(data, 'secret'), 'secret');
  call = join(data, 'scratch', 'call-1');
  await mkdir(call, { recursive: true });
});
afterEach(() => rm(data, { recursive: true, force: true }));

async function read(path: string): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of readScratchFile(path)) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}
const write = async (path: string) => await pipeline(['bytes of a caller'], await createScratchFile(path));

/** What a worker that was taken over does with the folder of a call. */
async function replaceFolder(): Promise<void> {
  await rename(call, `${call}-moved`);
  await symlink(data, call);
}

describe('a worker that was taken over', () => {
  it('puts a link in place of its output: the gateway reads no other file', async () => {
    await symlink(join(data, 'secret'), join(call, 'out'));
    await expect(read(join(call, 'out'))).rejects.toThrow();
    await expect(openScratchBlob(join(call, 'out'))).rejects.toThrow();
  });

  it('puts a link in place of the folder: the gateway reads and writes no file elsewhere', async () => {
    await replaceFolder();
    await expect(read(join(call, 'secret'))).rejects.toThrow('was replaced');
    await expect(write(join(call, 'new'))).rejects.toThrow('was replaced');
    expect(existsSync(join(data, 'new')) && readFileSync(join(data, 'new'), 'utf8')).not.toBe(
      'bytes of a caller',
    );
  });

  it('puts a link where the next file will be: the gateway writes a file of its own', async () => {
    await symlink(join(data, 'secret'), join(call, '0'));
    await write(join(call, '0'));
    expect(readFileSync(join(data, 'secret'), 'utf8')).toBe('secret');
    expect((await lstat(join(call, '0'))).isFile()).toBe(true);
    expect(await read(join(call, '0'))).toBe('bytes of a caller');
    expect(await (await openScratchBlob(join(call, '0'))).text()).toBe('bytes of a caller');
  });

  it.runIf(process.platform === 'linux')(
    'puts a pipe in place of its output: nothing waits for it',
    async () => {
      execFileSync('mkfifo', [join(call, 'out')]);
      await expect(read(join(call, 'out'))).rejects.toThrow('was replaced');
    },
  );

  it('puts a link in place of the folder: only the link is removed with the call', async () => {
    await replaceFolder();
    await removeScratch(call);
    expect((await readdir(data)).sort()).toEqual(['scratch', 'scratch-removed', 'secret']);
    expect(await readdir(join(data, 'scratch-removed'))).toEqual([]);
  });
});

it('a folder of a call goes with its files, and one that has gone already is no error', async () => {
  await write(join(call, '0'));
  await removeScratch(call);
  await removeScratch(call);
  expect(existsSync(call)).toBe(false);
});

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeScratch } from '../../assets/scratch';
import { OpenedFolder } from '../../kit/opened-folder';
import { createScratchFile, readScratchFile, withScratchBlob } from './scratch-files';
import { expectNothingElsewhereRemoved } from './testing/swapping-thread';

const isLinux = process.platform === 'linux';
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
const readBlob = (path: string) => withScratchBlob(path, (blob) => blob.text());
const write = async (path: string) => await pipeline(['bytes of a caller'], await createScratchFile(path));

/** Replaces the folder of a call, as a compromised worker could. */
async function replaceFolder(): Promise<void> {
  await rename(call, `${call}-moved`);
  await symlink(data, call);
}

describe('if a compromised worker', () => {
  it('replaces its output by a link, the gateway reads no other file @F2', async () => {
    await symlink(join(data, 'secret'), join(call, 'out'));
    await expect(read(join(call, 'out'))).rejects.toThrow();
    await expect(readBlob(join(call, 'out'))).rejects.toThrow();
  });

  it('replaces its folder by a link, the gateway reads, writes and removes no file elsewhere @F2', async () => {
    await replaceFolder();
    await expect(read(join(call, 'secret'))).rejects.toThrow('was replaced');
    await expect(write(join(call, 'secret'))).rejects.toThrow('was replaced');
    await expect(write(join(call, 'new'))).rejects.toThrow('was replaced');
    expect((await readdir(data)).sort()).toEqual(['scratch', 'secret']);
    expect(readFileSync(join(data, 'secret'), 'utf8')).toBe('secret');
  });

  it.runIf(isLinux)('replaces an open file, the gateway keeps using the one it opened @F2', async () => {
    await write(join(call, 'secret'));
    const folder = await OpenedFolder.open(call);
    const read = await withScratchBlob(join(call, 'secret'), async (blob) => {
      await replaceFolder();
      return await blob.text();
    });
    await writeFile(folder.getEntryPath('secret'), 'more');
    await folder.close();
    expect(read).toBe('bytes of a caller');
    expect(readFileSync(join(data, 'secret'), 'utf8')).toBe('secret');
  });

  it('puts a link at the path of the next file, the gateway writes a new file', async () => {
    await symlink(join(data, 'secret'), join(call, '0'));
    await write(join(call, '0'));
    expect(readFileSync(join(data, 'secret'), 'utf8')).toBe('secret');
    expect((await lstat(join(call, '0'))).isFile()).toBe(true);
    expect(await read(join(call, '0'))).toBe('bytes of a caller');
    expect(await readBlob(join(call, '0'))).toBe('bytes of a caller');
  });

  it.runIf(isLinux)('replaces its output by a pipe, nothing blocks', async () => {
    execFileSync('mkfifo', [join(call, 'out')]);
    await expect(read(join(call, 'out'))).rejects.toThrow('was replaced');
  });

  it.runIf(isLinux)('swaps folders and links during removal, nothing elsewhere is removed @F2', () =>
    expectNothingElsewhereRemoved(data, call, 2),
  );

  it.runIf(isLinux)('leaves a tree of any depth, it is removed without following its links', async () => {
    let folder = call;
    for (let depth = 0; depth < 100; depth++) {
      folder = join(folder, 'd');
      await mkdir(folder);
    }
    await symlink(data, join(folder, 'link'));
    await removeScratch(call);
    expect(await readdir(join(data, 'scratch-removed'))).toEqual([]);
    expect(existsSync(join(data, 'secret'))).toBe(true);
  });

  it('replaces its folder by a link, only the link is removed with the call', async () => {
    await replaceFolder();
    await removeScratch(call);
    expect((await readdir(data)).sort()).toEqual(['scratch', 'scratch-removed', 'secret']);
    expect(await readdir(join(data, 'scratch-removed'))).toEqual([]);
  });
});

it("a call's folder is removed with its files, and a missing one is no error", async () => {
  await write(join(call, '0'));
  await removeScratch(call);
  await removeScratch(call);
  expect(existsSync(call)).toBe(false);
});

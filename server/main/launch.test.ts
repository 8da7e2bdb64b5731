import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { resolveProcessCount } from './launch';

let root: string;
beforeEach(async () => {
  root = await temporaryFolder();
});
afterEach(() => removeFolder(root));

const resolve = (args: string[], env: Record<string, string> = {}, dev = false) =>
  resolveProcessCount(args, env, { root, dev });

it('runs one web process, WEB_CONCURRENCY of them, or as many as the argument says', async () => {
  expect(resolve([])).toBe(1);
  expect(resolve([], { WEB_CONCURRENCY: '3' })).toBe(3);
  expect(resolve(['--processes', '2'], { WEB_CONCURRENCY: '3' })).toBe(2);
  expect(resolve(['--processes=1'], { WEB_CONCURRENCY: '3' })).toBe(1);
  await writeFile(join(root, '.env'), 'WEB_CONCURRENCY=4\n');
  expect(resolve([])).toBe(4);
});

it.each(['0', '65', 'two', '-1', '1.5'])('names the field of a wrong number: %s', (wrong) => {
  const problem = `must be a whole number from 1 to 64 (it is "${wrong}")`;
  expect(() => resolve([], { WEB_CONCURRENCY: wrong })).toThrow(`WEB_CONCURRENCY ${problem}`);
  expect(() => resolve([`--processes=${wrong}`])).toThrow(`--processes ${problem}`);
});

it('requires a number after --processes', () => {
  expect(() => resolve(['--processes'])).toThrow('--processes must be a whole number from 1 to 64');
});

it('runs one process in development, and refuses an argument for more', () => {
  expect(resolve(['--dev'], { WEB_CONCURRENCY: '3' }, true)).toBe(1);
  expect(() => resolve(['--dev', '--processes', '2'], {}, true)).toThrow('use npm start');
});

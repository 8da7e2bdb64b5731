import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestBrowser, prepareTestBrowser } from '@/test/support/test-browser';
import { createTestFiles, type TestFiles } from '@/test/support/test-files';
import type { PageBrowser } from '../../platform/ports/browser';
import { prepareBrowserProgram } from '../../platform/ports/find-chromium';
import { OutboundGuard } from '../../platform/ports/outbound-guard';
import { runSkill } from '../sdk/skill-harness';
import { tool } from '.';

describe('screenshot', () => {
  it('requires exactly one of url and html', () => {
    for (const { input } of tool.skills) {
      expect(input.safeParse({}).success).toBe(false);
      expect(input.safeParse({ url: 'https://example.com', html: 'x' }).success).toBe(false);
      expect(input.safeParse({ url: 'file:///etc/passwd' }).success).toBe(false);
      expect(input.safeParse({ html: 'x' }).success).toBe(true);
    }
  });

  it('uses no other browser than the one that the operator names', async () => {
    expect(await prepareBrowserProgram('/nowhere', '/nowhere/chromium')).toBeNull();
    const { execPath: program } = process;
    expect(await prepareBrowserProgram('/nowhere', program)).toEqual({ program, env: {} });
  });
});

describe.skipIf('missing' in prepareTestBrowser())('with a browser', () => {
  let browser: PageBrowser;
  let files: TestFiles;
  beforeAll(async () => {
    browser = createTestBrowser(new OutboundGuard());
    files = await createTestFiles();
  });
  afterAll(async () => {
    browser.close();
    await files.remove();
  });

  it.each(['png', 'jpeg', 'webp'])('saves a %s of the requested size', async (format) => {
    const input = { html: '<title>Hi</title><p>Hello', width: 300, height: 200, device_scale: 2, format };
    const { output } = await runSkill(tool, 'capture', input, { browser, files });
    expect(output).toMatchObject({ url: null, status: null, title: 'Hi', width: 600, height: 400 });
    const picture = await sharp(await files.readBytes(output.image.asset_id)).metadata();
    expect([picture.format, picture.width, picture.height]).toEqual([format, 600, 400]);
  });

  it('prints a PDF with readable text', async () => {
    const { output } = await runSkill(
      tool,
      'page_to_pdf',
      { html: '<h1>Invoice 42</h1>', paper: 'A5' },
      { browser, files },
    );
    const { extractText, getDocumentProxy } = await import('unpdf');
    const pdf = await getDocumentProxy(new Uint8Array(await files.readBytes(output.pdf.asset_id)));
    expect((await extractText(pdf, { mergePages: true })).text).toContain('Invoice 42');
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
    expect([Math.round(width / 10), Math.round(height / 10)]).toEqual([42, 60]);
  });
});

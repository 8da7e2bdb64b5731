import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchUncaught } from '@/test/support/uncaught';
import { createPageBrowser, type PageBrowser } from './browser';
import { OutboundGuard } from './outbound-guard';
import { createPageRenderer, type PageRenderer } from './testing/page-renderer';

// browser-limits.deep.test.ts has the limits of a single page.

const HOSTILE = fileURLToPath(new URL('./browser-host-hostile.fixture.mjs', import.meta.url));

describe("the browser's driver", () => {
  let pages: PageRenderer;
  let browser: PageBrowser;
  beforeAll(async () => {
    pages = await createPageRenderer();
    const guard = new OutboundGuard();
    browser = createPageBrowser({
      guard,
      findProgram: async () => ({ program: process.execPath, env: {} }),
      hostFile: HOSTILE,
    });
  });
  afterAll(async () => {
    browser.close();
    await pages.remove();
  });
  const names = [
    'null',
    'number',
    'text',
    'no id',
    'id of the prototype',
    'no value',
    'value null',
    'size no number',
    'message no text',
    'deep',
    'ends',
  ];
  it.each(names)('fails only its call if it sends an invalid message (%s) @F15', async (name) => {
    const uncaught = watchUncaught();
    try {
      await expect(pages.render(browser, { html: name })).rejects.toThrow('could not be drawn');
      expect((await pages.render(browser, { html: 'fine' })).title).toBe('Fine');
      expect(uncaught.errors).toEqual([]);
    } finally {
      uncaught.stop();
    }
  });

  it('fails no page of its successor when it ends', async () => {
    await pages.render(browser, { html: 'fine' });
    browser.close();
    expect((await pages.render(browser, { html: 'late' })).title).toBe('Fine');
  });
});

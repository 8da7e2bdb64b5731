import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSharedFolder } from '@/test/support/process-scratch';
import type { PageBrowser } from '../browser';
import type { RenderedPage, RenderRequest } from '../rendered-page';
import { createCallSignal } from './worker-signals';

/** Renders small pages for the tests of a file, each for a different account. */
export interface PageRenderer {
  /** A folder that the browser may write to. */
  readonly folder: string;
  render(browser: PageBrowser, page: Partial<RenderRequest>): Promise<RenderedPage>;
  remove(): Promise<void>;
}

export async function createPageRenderer(): Promise<PageRenderer> {
  const folder = await makeSharedFolder('drawn-pages');
  let count = 0;
  return {
    folder,
    async render(browser, page) {
      const output = { kind: 'picture', type: 'jpeg', fullPage: false, quality: 50 } as const;
      const name = `${count++}`;
      const path = join(folder, name);
      const request = { width: 200, height: 100, scale: 1, dark: false, delayMs: 0, path, output, ...page };
      return await browser.render(request, createCallSignal(name));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

import { findChromium } from '../sdk/workers';
import { defineTool } from '../sdk/define-tool';
import { capture } from './capture';
import { pageToPdf } from './page-to-pdf';

export const tool = defineTool({
  name: 'screenshot',
  displayName: 'Screenshots',
  subtitle: 'Web pages as pictures and PDFs',
  description:
    'See web pages as people see them: open an address or your own HTML in a real browser, and take a screenshot or print it to a PDF.',
  categories: ['web', 'images', 'documents'],
  version: '1.0.0',
  skills: [capture, pageToPdf],
  findEngine: async () =>
    findChromium() === null
      ? 'There is no Chromium or Chrome on this machine. Its operator can install one (on Debian: apt install chromium), or name it by CHROMIUM_PATH.'
      : null,
});

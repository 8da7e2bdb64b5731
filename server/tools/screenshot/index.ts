import { defineTool } from '../sdk/define-tool';
import { hasBrowser } from '../sdk/workers';
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
    hasBrowser()
      ? null
      : {
          reason: 'This gateway has no Chromium or Chrome.',
          fix: 'Install it (on Debian: apt install chromium) or set CHROMIUM_PATH.',
        },
});

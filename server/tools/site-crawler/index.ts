import { defineTool } from '../sdk/define-tool';
import { checkLinks } from './check-links';
import { crawl } from './crawl';
import { sitemap } from './sitemap';

export const tool = defineTool({
  name: 'site-crawler',
  displayName: 'Site crawler',
  subtitle: 'All pages of a web site, its sitemap and its broken links',
  description:
    'Go through a web site: crawl its pages and collect their text, list all its addresses from the sitemap, or find links that are broken. Obeys robots.txt, stays on the site, and reports each page as it goes.',
  categories: ['web', 'data'],
  version: '1.0.0',
  skills: [crawl, sitemap, checkLinks],
});

import { defineTool } from '../sdk/define-tool';
import { scrape } from './scrape';

export const tool = defineTool({
  name: 'scrape',
  displayName: 'Scrape',
  subtitle: 'Pages that need a browser, by Firecrawl',
  description:
    'Read web pages that need a real browser, by Firecrawl: content as Markdown or HTML, links and screenshots. Bring your own API key, or use the gateway’s account where it has one.',
  categories: ['web'],
  version: '1.0.0',
  skills: [scrape],
});

import { defineTool } from '../sdk/define-tool';
import { search } from './search';

export const tool = defineTool({
  name: 'web-search',
  displayName: 'Web search',
  subtitle: 'Find pages by Tavily, Brave or Exa',
  description:
    'Find pages, news and sources on the web with a search engine made for agents: Tavily, Brave Search or Exa, under one interface. Bring your own API key, or use the gateway’s account where it has one.',
  categories: ['web', 'search'],
  version: '1.0.0',
  skills: [search],
});

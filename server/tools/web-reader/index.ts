import { defineTool } from '../sdk/define-tool';
import { fetchSkill } from './fetch';
import { metadata } from './metadata';
import { read } from './read';

export const tool = defineTool({
  name: 'web-reader',
  displayName: 'Web reader',
  subtitle: 'What a web page says, as Markdown or as it is',
  description:
    'Open an address on the public internet and get its content: the main text of an article or page as clean Markdown, the raw response of any URL, or its metadata for link previews. Private networks are out of reach.',
  categories: ['web', 'text'],
  version: '1.0.0',
  skills: [read, fetchSkill, metadata],
});

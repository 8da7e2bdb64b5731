import { defineTool } from '../sdk/define-tool';
import { generate } from './generate';

export const tool = defineTool({
  name: 'image-generation',
  displayName: 'Image generation',
  subtitle: 'Pictures from words, by fal or Replicate',
  description:
    'Make pictures from a description with FLUX models hosted by fal and Replicate; the results are kept as assets. Bring your own API key, or use the gateway’s account where it has one.',
  categories: ['ai', 'images'],
  version: '1.0.0',
  skills: [generate],
});

import { defineTool } from '../sdk/define-tool';
import { extractText } from './extract-text';
import { merge } from './merge';
import { renderPages } from './render-pages';
import { split } from './split';

export const tool = defineTool({
  name: 'pdf',
  displayName: 'PDF toolkit',
  subtitle: 'Read, merge, split and draw PDF documents',
  description:
    'Work on PDF files: read their text and metadata, merge several into one, split one into several or extract pages, and turn pages into PNG or JPEG pictures.',
  categories: ['documents'],
  version: '1.0.0',
  skills: [extractText, merge, split, renderPages],
});

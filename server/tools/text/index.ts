import { defineTool } from '../sdk/define-tool';
import { diff } from './diff';
import { extract } from './extract';
import { redact } from './redact';
import { stats } from './stats';

export const tool = defineTool({
  name: 'text',
  displayName: 'Text',
  subtitle: 'Compare, count, extract and redact text',
  description:
    'Work on plain text exactly and without a language model. Compare two versions of a document, count words and characters and estimate reading time, extract email addresses, links, phone numbers and dates, or redact personal data such as credit cards and bank accounts.',
  categories: ['text', 'privacy'],
  version: '1.0.0',
  skills: [diff, stats, extract, redact],
});

import { defineTool } from '../sdk/define-tool';
import { markdownToDocx } from './markdown-to-docx';
import { markdownToPdf } from './markdown-to-pdf';
import { renderEmail } from './render-email';

export const tool = defineTool({
  name: 'document',
  displayName: 'Document writer',
  subtitle: 'PDF, Word and email from text',
  description:
    'Write documents from text: Markdown becomes a PDF or an editable Word file with headings, tables, code and pictures, and MJML becomes email HTML with a plain text version.',
  categories: ['documents', 'email'],
  version: '1.0.0',
  skills: [markdownToPdf, markdownToDocx, renderEmail],
});

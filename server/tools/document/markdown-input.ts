import { z } from 'zod';
import { assetOutput } from '../sdk/file-schemas';
import { MAX_MARKDOWN_CHARS } from './limits.mjs';

const MAX_TITLE_CHARS = 200;
const MAX_STEM_CHARS = 80;

/** Input fields that both writers share. */
export const markdownInput = {
  markdown: z
    .string()
    .min(1)
    .max(MAX_MARKDOWN_CHARS)
    .describe(
      'The text in Markdown (GitHub flavour): headings, lists, task lists, tables, code, quotes, links, footnotes ([^1] and [^1]: text), and pictures as ![words](asset_…) or ![words](https://…). At most 300,000 characters and 20 pictures.',
    ),
  title: z
    .string()
    .min(1)
    .max(MAX_TITLE_CHARS)
    .optional()
    .describe('Title of the document; shown above the text unless the text starts with a level 1 heading.'),
  author: z.string().min(1).max(MAX_TITLE_CHARS).optional().describe('Author, for the metadata.'),
  page_size: z.enum(['A4', 'A5', 'LETTER', 'LEGAL']).default('A4').describe('Size of the pages.'),
  orientation: z.enum(['portrait', 'landscape']).default('portrait').describe('Page orientation.'),
  page_numbers: z
    .boolean()
    .default(true)
    .describe('Whether to print page numbers at the bottom of each page.'),
};

/** Output fields that both writers share. */
export const documentOutput = {
  asset: assetOutput.describe('The document.'),
  pictures: z.int().describe('Number of different pictures in the document.'),
  warnings: z
    .array(z.string())
    .describe('Content that was omitted or cannot be displayed; empty if there is none.'),
};

/** Builds a filename from the title or the first heading. */
export function buildFilename(title: string | undefined, markdown: string, ending: string): string {
  const words = title ?? /^#{1,6}\s+(.{1,200})/m.exec(markdown)?.[1] ?? 'document';
  const plain = words.normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-');
  return `${
    plain
      .slice(0, MAX_STEM_CHARS)
      .replace(/^-+|-+$/g, '')
      .toLowerCase() || 'document'
  }.${ending}`;
}

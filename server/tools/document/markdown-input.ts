import { z } from 'zod';
import { assetOutput } from '../sdk/file-schemas';
import { MAX_MARKDOWN_CHARS } from './limits.mjs';

const MAX_TITLE_CHARS = 200;
const MAX_STEM_CHARS = 80;

/** The input fields that both writers have. */
export const markdownInput = {
  markdown: z
    .string()
    .min(1)
    .max(MAX_MARKDOWN_CHARS)
    .describe(
      'The text in Markdown (GitHub flavour): headings, lists, task lists, tables, code, quotes, links, and pictures as ![words](asset_…) or ![words](https://…). At most 300,000 characters and 20 pictures.',
    ),
  title: z
    .string()
    .min(1)
    .max(MAX_TITLE_CHARS)
    .optional()
    .describe(
      'Title of the document; stands above the text where that does not begin with a heading of its own.',
    ),
  author: z.string().min(1).max(MAX_TITLE_CHARS).optional().describe('Author, for the metadata.'),
  page_size: z.enum(['A4', 'A5', 'LETTER', 'LEGAL']).default('A4').describe('Size of the pages.'),
  orientation: z.enum(['portrait', 'landscape']).default('portrait').describe('How the pages stand.'),
  page_numbers: z.boolean().default(true).describe('Page numbers at the foot of each page.'),
};

/** The output fields that both writers have. */
export const documentOutput = {
  asset: assetOutput.describe('The document.'),
  pictures: z.int().describe('How many different pictures it holds.'),
  warnings: z.array(z.string()).describe('What was left out or cannot be shown; empty when all is well.'),
};

/** A name for the file, of the title or the first heading. */
export function filenameOf(title: string | undefined, markdown: string, ending: string): string {
  const words = title ?? /^#{1,6}\s+(.{1,200})/m.exec(markdown)?.[1] ?? 'document';
  const plain = words.normalize('NFKD').replace(/[^A-Za-z0-9]+/g, '-');
  return `${
    plain
      .slice(0, MAX_STEM_CHARS)
      .replace(/^-+|-+$/g, '')
      .toLowerCase() || 'document'
  }.${ending}`;
}

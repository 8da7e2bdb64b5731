import { z } from 'zod';
import { runInWorker } from '../sdk/workers';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { MAX_TEXT_CHARS, TIME_LIMIT_MS } from './limits.mjs';
import { openPdf, pagesText, passwordField, pdfField } from './source';
import type * as worker from './text-worker.mjs';

/** A twentieth of a cent. */
const PRICE_MICROUSD = 500n;

const input = z.object({
  file: pdfField,
  pages: pagesText
    .optional()
    .describe('Which pages, such as 1-3,5,8- (8- goes to the end); all when left out. At most 2,000.'),
  max_characters: z
    .int()
    .min(1)
    .max(MAX_TEXT_CHARS)
    .default(200_000)
    .describe('Stops after that many characters and says so in truncated; at most 500,000.'),
  password: passwordField,
});

const nullableText = z.string().nullable();

const output = z.object({
  page_count: z.int().describe('Pages of the document.'),
  pages: z
    .array(
      z.object({
        page: z.int().describe('Number of the page, from 1.'),
        text: z.string().describe('Its text, line by line.'),
      }),
    )
    .describe('The text of each page that was read.'),
  characters: z.int().describe('Characters of text in all.'),
  truncated: z.boolean().describe('Whether max_characters cut the text; ask for the pages that are missing.'),
  has_text: z
    .boolean()
    .describe('False where no page has text: a scan, of which pdf.render_pages makes pictures.'),
  metadata: z
    .object({
      title: nullableText.describe('Title.'),
      author: nullableText.describe('Author.'),
      subject: nullableText.describe('Subject.'),
      keywords: nullableText.describe('Keywords.'),
      creator: nullableText.describe('Program the document was written in.'),
      producer: nullableText.describe('Program that made the PDF.'),
      created_at: nullableText.describe('When it was made, ISO 8601.'),
      modified_at: nullableText.describe('When it was last changed, ISO 8601.'),
      pdf_version: nullableText.describe('Version of the format, such as 1.7.'),
    })
    .describe('What the document says about itself; null where it does not say.'),
});

export const extractText = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'extract_text',
  displayName: 'Read the text of a PDF',
  description:
    'Reads a PDF and returns its words as plain text, page by page, with the number of pages, title, author and dates. Takes all pages or a range, and opens encrypted documents with their password. Scanned pages hold no text; it says so.',
  input,
  output,
  returns: 'The text of each page, the number of pages and the metadata.',
  examples: [
    { description: 'What does this PDF say?', input: { file: 'asset_sample_report' } },
    { description: 'Only the first two pages', input: { file: 'asset_sample_report', pages: '1-2' } },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
  async run({ input: { file, pages, password, max_characters }, files, signal }) {
    const source = await openPdf({ files }, file);
    const read = await runInWorker<typeof worker.extractText>(
      'server/tools/pdf/text-worker.mjs',
      'extractText',
      { input: source.path, pages, password, maxChars: max_characters },
      { signal, timeLimitMs: TIME_LIMIT_MS },
    );
    return { output: acceptOrRefuse(read) };
  },
});

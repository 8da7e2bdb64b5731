import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { runInWorker } from '../sdk/workers';
import { MAX_TEXT_CHARS, TIME_LIMIT_MS } from './limits.mjs';
import { openPdf, pagesText, passwordField, pdfField } from './source';
import type * as worker from './text-worker.mjs';

/** A twentieth of a cent. */
const PRICE_MICROUSD = 500n;

const input = z.object({
  file: pdfField,
  pages: pagesText
    .optional()
    .describe('Pages to read, such as 1-3,5,8- (8- goes to the end); all by default. At most 2,000.'),
  max_characters: z
    .int()
    .min(1)
    .max(MAX_TEXT_CHARS)
    .default(200_000)
    .describe('Stops after this many characters and sets truncated; at most 500,000.'),
  password: passwordField,
});

const nullableText = z.string().nullable();

const output = z.object({
  page_count: z.int().describe('Number of pages of the document.'),
  pages: z
    .array(
      z.object({
        page: z.int().describe('Number of the page, from 1.'),
        text: z
          .string()
          .describe(
            'Text of the page, line by line, with the values of filled form fields where they are printed.',
          ),
      }),
    )
    .describe('The text of each page that was read.'),
  characters: z.int().describe('Total number of characters.'),
  truncated: z
    .boolean()
    .describe('Whether max_characters cut off the text; request the missing pages in another call.'),
  has_text: z
    .boolean()
    .describe('False if no page has text, as in a scan; pdf.render_pages turns it into pictures.'),
  pages_without_text: z
    .array(z.int())
    .optional()
    .describe('The pages read that have no text, as scans or blank pages have none.'),
  form_fields: z
    .array(
      z.object({
        name: z.string().describe('Full name of the field.'),
        type: z.enum(['text', 'choice', 'checkbox', 'radio', 'signature']).describe('Kind of field.'),
        page: z.int().describe('The page with the field.'),
        value: z
          .union([z.string(), z.array(z.string()), z.boolean(), z.null()])
          .describe(
            'What was filled in: a text, a list if several options are chosen, true or false for a checkbox; null if empty, a password or a signature.',
          ),
      }),
    )
    .optional()
    .describe('The form fields of the pages read; empty if there are none.'),
  metadata: z
    .object({
      title: nullableText.describe('Title.'),
      author: nullableText.describe('Author.'),
      subject: nullableText.describe('Subject.'),
      keywords: nullableText.describe('Keywords.'),
      creator: nullableText.describe('Software the document was written in.'),
      producer: nullableText.describe('Software that created the PDF.'),
      created_at: nullableText.describe('Creation time, ISO 8601.'),
      modified_at: nullableText.describe('Time of the last change, ISO 8601.'),
      pdf_version: nullableText.describe('Version of the format, such as 1.7.'),
    })
    .describe('Metadata of the document; null where it is missing.'),
});

export const extractText = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'extract_text',
  displayName: 'Read the text of a PDF',
  keywords: 'pdf text read words content says contract number pages many scanned document',
  description:
    'Reads a PDF and returns its words as plain text, page by page, with the number of pages, title, author and dates. Takes all pages or a range, and opens encrypted documents with their password. Includes what was filled into form fields. Scanned pages hold no text; it lists them.',
  input,
  output,
  returns: 'The text of each page, the form fields, the pages without text and the metadata.',
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

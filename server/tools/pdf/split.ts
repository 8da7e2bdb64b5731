import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { MAX_PAGES, MAX_PARTS, TIME_LIMIT_MS } from './limits.mjs';
import type * as worker from './pages-worker.mjs';
import { openPdf, pagesText, pageWarnings, passwordField, pdfField, toFileStem } from './source';

/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;

const input = z.object({
  file: pdfField,
  ranges: z
    .array(pagesText)
    .min(1)
    .max(MAX_PARTS)
    .optional()
    .describe(
      'Page ranges, one new file for each, such as ["1-3", "4,6", "7-"]; at most 50. Pass either ranges or every.',
    ),
  every: z
    .int()
    .min(1)
    .max(MAX_PAGES)
    .optional()
    .describe('Number of pages per new file: 1 (the default without ranges) makes each page a file.'),
  password: passwordField,
});

const output = z.object({
  page_count: z.int().describe('Number of pages of the original document.'),
  parts: z
    .array(
      z.object({
        asset: assetOutput.describe('The new PDF.'),
        pages: z.string().describe('Its pages, by their numbers in the original document.'),
        page_count: z.int().describe('Number of pages of this file.'),
      }),
    )
    .describe('The new files, in order.'),
  warnings: pageWarnings,
});

export const split = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'split',
  displayName: 'Split a PDF',
  keywords: 'extract take pull out pages page separate single remove delete cut range',
  description:
    'Cuts a PDF into several files: extracts chosen pages or page ranges into new documents, or splits after every so many pages. Each keeps its form fields, bookmarks and links. Up to fifty files.',
  input,
  output,
  returns: 'The new PDFs as assets, with the pages each holds and what could not be kept.',
  examples: [
    { description: 'Each page as a file of its own', input: { file: 'asset_sample_report', every: 1 } },
    {
      description: 'Extract pages 2 and 3 into a new PDF',
      input: { file: 'asset_sample_report', ranges: ['2-3'] },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
  async run({ input: { file, ranges, every, password }, files, signal }) {
    if (ranges && every !== undefined) throw new InputError('ranges, every: pass only one of them.');
    const source = await openPdf({ files }, file);
    const path = await files.scratch();
    const { page_count, parts, warnings } = acceptOrRefuse(
      await runInWorker<typeof worker.split>(
        'server/tools/pdf/pages-worker.mjs',
        'split',
        { input: source.path, output: path, ranges, every, password },
        { signal, timeLimitMs: TIME_LIMIT_MS },
      ),
    );
    const saved = [];
    for (const part of parts) {
      const filename = `${toFileStem(source.filename)}-${part.pages.replace(/,/g, '+').slice(0, 40)}.pdf`;
      const asset = await files.save({ path: part.path }, { filename, contentType: 'application/pdf' });
      saved.push({ asset, pages: part.pages, page_count: part.page_count });
    }
    return { output: { page_count, parts: saved, warnings } };
  },
});

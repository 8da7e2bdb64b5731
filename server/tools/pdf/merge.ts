import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { MAX_MERGE_BYTES, MAX_MERGE_FILES, TIME_LIMIT_MS } from './limits.mjs';
import type * as worker from './pages-worker.mjs';
import { openPdf, pagesText, pageWarnings, passwordField, pdfField } from './source';

/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;
const MAX_TITLE_CHARS = 200;
const MIB = 1024 * 1024;

const input = z.object({
  files: z
    .array(
      z.object({
        file: pdfField,
        pages: pagesText.optional().describe('Pages to take, such as 1-3,5; all by default.'),
        password: passwordField,
      }),
    )
    .min(2)
    .max(MAX_MERGE_FILES)
    .describe('The PDFs in the desired order: 2 to 20, at most 60 MiB and 2,000 pages in total.'),
  title: z.string().min(1).max(MAX_TITLE_CHARS).optional().describe('Title of the new document.'),
});

const output = z.object({
  asset: assetOutput.describe('The new PDF.'),
  page_count: z.int().describe('Number of pages of the new PDF.'),
  pages_from: z.array(z.int()).describe('Number of pages taken from each file.'),
  warnings: pageWarnings,
});

export const merge = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'merge',
  displayName: 'Merge PDFs',
  keywords: 'combine join stitch glue append unite together several two pdfs into one single scanned',
  description:
    'Joins several PDF files into one document, in the order given. Takes whole files or chosen pages of each, so it also reorders, repeats or drops pages. Form fields, bookmarks and links stay. Two to twenty files.',
  input,
  output,
  returns: 'The merged PDF as an asset, with its number of pages and what could not be kept.',
  examples: [
    {
      description: 'Put two PDFs together',
      input: { files: [{ file: 'asset_sample_report' }, { file: 'asset_sample_report' }] },
    },
    {
      description: 'The last page of one document before the first two of another, with a title',
      input: {
        files: [
          { file: 'asset_sample_report', pages: '3' },
          { file: 'asset_sample_report', pages: '1-2' },
        ],
        title: 'Harbour report, reordered',
      },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 1 },
  async run({ input: request, files, signal }) {
    const sources = [];
    let bytes = 0;
    for (const { file, pages, password } of request.files) {
      const source = await openPdf({ files }, file);
      bytes += source.sizeBytes;
      if (bytes > MAX_MERGE_BYTES)
        throw new InputError(
          `files: the total size exceeds ${MAX_MERGE_BYTES / MIB} MiB. Merge fewer at once.`,
        );
      sources.push({ input: source.path, pages, password });
    }
    const path = await files.scratch('pdf');
    const { page_count, counts, warnings } = acceptOrRefuse(
      await runInWorker<typeof worker.merge>(
        'server/tools/pdf/pages-worker.mjs',
        'merge',
        { sources, output: path, title: request.title },
        { signal, timeLimitMs: TIME_LIMIT_MS },
      ),
    );
    const asset = await files.save({ path }, { filename: 'merged.pdf', contentType: 'application/pdf' });
    return { output: { asset, page_count, pages_from: counts, warnings } };
  },
});

import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perCall } from '../sdk/define-tool';
import { runInWorker } from '../sdk/workers';
import { TIME_LIMIT_MS } from './limits.mjs';
import { buildFilename, documentOutput, markdownInput } from './markdown-input';
import type * as worker from './pdf-worker.mjs';
import { loadPictures } from './pictures';

/** A fifth of a cent. */
const PRICE_MICROUSD = 2_000n;

const input = z.object({
  ...markdownInput,
  margin_mm: z.number().min(5).max(60).default(22).describe('Margin on all sides, in millimetres.'),
  font_size: z.number().min(7).max(18).default(11).describe('Font size of the text, in points.'),
  table_of_contents: z
    .boolean()
    .default(false)
    .describe('Whether to put a list of headings with page numbers at the front.'),
});

const output = z.object(documentOutput);

export const markdownToPdf = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'markdown_to_pdf',
  displayName: 'Markdown to PDF',
  keywords: 'create write make generate pdf report letter invoice document notes manual cover printable hand',
  description:
    'Turns Markdown into a well set PDF: a report, letter, invoice or manual with headings, lists, tables, code, links and pictures. Choose page size, margins, title, page numbers and a table of contents. Its fonts cover Latin, Greek and Cyrillic letters.',
  input,
  output,
  returns: 'The PDF as an asset, and warnings about what could not be shown.',
  examples: [
    {
      description: 'A short report with a table and a picture',
      input: {
        markdown:
          '# Harbour report\n\nIn the first quarter **412 ships** called at the harbour.\n\n| Cargo | Tonnes |\n|:--|--:|\n| Grain | 48,200 |\n| Timber | 17,900 |\n| Machines | 3,150 |\n\n## Outlook\n\n1. A second crane in May\n2. Night shifts from June\n\n> The next report comes in July.\n\n![The harbour in the morning](asset_sample_photo)\n',
        author: 'Harbour office',
      },
    },
    {
      description: 'A letter without page numbers, on US letter paper',
      input: {
        markdown:
          'Dear Ada,\n\nthank you for your visit. See [our site](https://example.com/) for the photos.\n\nYours,\nGrace',
        page_size: 'LETTER',
        page_numbers: false,
        title: 'A letter',
      },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  async run({ input: request, files, signal }) {
    const { markdown, title, author, orientation } = request;
    const { pictures, warnings } = await loadPictures({ files, signal }, markdown);
    const path = await files.scratch('pdf');
    const written = acceptOrRefuse(
      await runInWorker<typeof worker.writePdf>(
        'server/tools/document/pdf-worker.mjs',
        'writePdf',
        {
          ...{ markdown, title, author, orientation, pictures, output: path },
          pageSize: request.page_size,
          margin: request.margin_mm,
          fontSize: request.font_size,
          pageNumbers: request.page_numbers,
          tableOfContents: request.table_of_contents,
        },
        { signal, timeLimitMs: TIME_LIMIT_MS },
      ),
    );
    const filename = buildFilename(title, markdown, 'pdf');
    const asset = await files.save({ path }, { filename, contentType: 'application/pdf' });
    const all = [...warnings, ...written.warnings];
    return { output: { asset, pictures: Object.keys(pictures).length, warnings: all } };
  },
});

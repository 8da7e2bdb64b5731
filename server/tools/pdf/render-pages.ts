import { z } from 'zod';
import { acceptOrRefuse } from '../sdk/accept-refusal';
import { defineSkill, perUnit } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { InputError } from '../sdk/skill-error';
import { runInWorker } from '../sdk/workers';
import { MAX_RENDERED_PAGES, TIME_LIMIT_MS } from './limits.mjs';
import { countMaxPages } from './page-ranges.mjs';
import type * as pages from './pages-worker.mjs';
import type * as worker from './render-worker.mjs';
import { openPdf, pagesText, passwordField, pdfField, toFileStem } from './source';

/** A fifth of a cent per rendered page. */
const PAGE_MICROUSD = 2_000n;
const MODULE = 'server/tools/pdf/render-worker.mjs';
const FONTS_TIME_LIMIT_MS = 5_000;

const input = z.object({
  file: pdfField,
  pages: pagesText
    .optional()
    .describe('Pages to render, such as 1 or 1-3,5; all by default. At most 50 per call.'),
  dpi: z
    .int()
    .min(36)
    .max(300)
    .default(150)
    .describe('Pixels per inch, 36 to 300: 72 for a preview, 150 for a screen (the default), 300 for print.'),
  format: z
    .enum(['png', 'jpeg'])
    .default('png')
    .describe('png is lossless; jpeg is smaller for scans and photos.'),
  quality: z.int().min(1).max(100).default(85).describe('Quality of jpeg, 1 to 100.'),
  transparent: z.boolean().default(false).describe('Whether the paper is transparent in png.'),
  password: passwordField,
});

const output = z.object({
  page_count: z.int().describe('Number of pages of the document.'),
  pages: z
    .array(
      z.object({
        page: z.int().describe('Number of the page, from 1.'),
        asset: assetOutput.describe('The picture of the page.'),
        width: z.int().describe('Width in pixels.'),
        height: z.int().describe('Height in pixels.'),
      }),
    )
    .describe('The rendered pages, in the requested order.'),
  warnings: z
    .array(z.string())
    .optional()
    .describe('Fonts that the PDF lacks, whose text may be missing; empty if there are none.'),
});

export const renderPages = defineSkill<z.infer<typeof input>, z.infer<typeof output>, { units: number }>({
  name: 'render_pages',
  displayName: 'Draw the pages of a PDF',
  keywords: 'pdf image png jpg jpeg pictures images pages page preview show thumbnail',
  description:
    'Turns the pages of a PDF into pictures: one PNG or JPEG image for each page, for previews, thumbnails of documents, or reading scans. Choose pages and resolution.',
  input,
  output,
  returns: 'A picture of each page as an asset, with its width and height.',
  examples: [
    {
      description: 'A preview picture of the first page',
      input: { file: 'asset_sample_report', pages: '1', dpi: 72 },
    },
    { description: 'Every page as a JPEG', input: { file: 'asset_sample_report', format: 'jpeg', dpi: 100 } },
  ],
  price: perUnit('page', PAGE_MICROUSD, ({ pages }) => countMaxPages(pages, MAX_RENDERED_PAGES), ['pages']),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 2 },
  async run({ input: { file, pages: range, password, ...drawing }, files, progress, signal }) {
    const { path, filename } = await openPdf({ files }, file);
    const source = { input: path, password };
    const options = { signal, timeLimitMs: TIME_LIMIT_MS };
    const chosen = acceptOrRefuse(
      await runInWorker<typeof worker.choosePages>(
        MODULE,
        'choosePages',
        { ...source, pages: range },
        options,
      ),
    );
    if (chosen.pages.length > MAX_RENDERED_PAGES)
      throw new InputError(
        `pages: ${chosen.pages.length} pages are selected; the limit per call is ${MAX_RENDERED_PAGES}. Select fewer, such as 1-${MAX_RENDERED_PAGES}.`,
      );
    const drawn = [];
    for (const page of chosen.pages) {
      const picture = await files.scratch();
      const task = { ...source, ...drawing, page, output: picture };
      const size = acceptOrRefuse(
        await runInWorker<typeof worker.renderPage>(MODULE, 'renderPage', task, options),
      );
      const name = `${toFileStem(filename)}-${page}.${drawing.format === 'jpeg' ? 'jpg' : 'png'}`;
      const contentType = `image/${drawing.format}`;
      drawn.push({
        page,
        asset: await files.save({ path: picture }, { filename: name, contentType }),
        ...size,
      });
      progress(drawn.length / chosen.pages.length);
    }
    const task = { ...source, numbers: chosen.pages };
    const warnings = await findMissingFonts(task, signal);
    return {
      output: { page_count: chosen.page_count, pages: drawn, warnings },
      usage: { units: drawn.length },
    };
  },
});

/** Returns no warnings for a document that only PDFium can open, or that takes too long. */
async function findMissingFonts(
  task: { input: string; password: string | undefined; numbers: number[] },
  signal: AbortSignal,
): Promise<string[]> {
  try {
    return await runInWorker<typeof pages.findMissingFonts>(
      'server/tools/pdf/pages-worker.mjs',
      'findMissingFonts',
      task,
      { signal, timeLimitMs: FONTS_TIME_LIMIT_MS },
    );
  } catch (error) {
    if (signal.aborted) throw error;
    return [];
  }
}

import { z } from 'zod';
import { defineSkill, perCall } from '../sdk/define-tool';
import { assetOutput } from '../sdk/file-schemas';
import { fileName, hasOneSource, ONE_SOURCE, pageInput, pageOutput, toRenderRequest } from './page-input';

/** Three tenths of a cent, for seconds of browser time. */
const PRICE_MICROUSD = 3_000n;
/** A device scale has no effect on a PDF. */
const SCALE = 1;

const input = z
  .object({
    ...pageInput,
    paper: z
      .enum(['A3', 'A4', 'A5', 'Letter', 'Legal', 'Tabloid'])
      .default('A4')
      .describe('Paper size; A4 by default.'),
    landscape: z.boolean().default(false).describe('Whether to print in landscape orientation.'),
    background: z
      .boolean()
      .default(true)
      .describe('Whether to print background colours and pictures; true by default.'),
    margin_mm: z
      .number()
      .min(0)
      .max(50)
      .default(10)
      .describe('Margin on all sides in millimetres; 10 by default.'),
  })
  .refine(hasOneSource, ONE_SOURCE);

const output = z.object({ ...pageOutput, pdf: assetOutput.describe('The PDF.') });

export const pageToPdf = defineSkill<z.infer<typeof input>, z.infer<typeof output>>({
  name: 'page_to_pdf',
  displayName: 'Page to PDF',
  keywords: 'save archive print website webpage web page url html pdf',
  description:
    'Prints a web page, or HTML you send, to a PDF file as a browser does: with its print styles, selectable text and links. Choose paper, orientation, margins and background. For an invoice, a report or an archive copy of a site.',
  input,
  output,
  returns: 'The PDF as an asset, and title and status of the page.',
  examples: [
    { description: 'A page on paper', input: { url: 'https://example.com/' } },
    {
      description: 'An invoice from HTML',
      input: { html: '<h1>Invoice 42</h1><p>Total: $10</p>', paper: 'Letter', margin_mm: 20 },
    },
  ],
  price: perCall(PRICE_MICROUSD),
  annotations: { readOnly: true, idempotent: true, destructive: false, estimatedSeconds: 6 },
  async run({ input: request, browser, files, signal }) {
    const path = await files.scratch('pdf');
    const { paper: format, landscape, background, margin_mm } = request;
    const page = await browser.render(
      {
        ...toRenderRequest(request),
        scale: SCALE,
        path,
        output: { kind: 'pdf', format, landscape, background, margin: `${margin_mm}mm` },
      },
      signal,
    );
    const pdf = await files.save(
      { path },
      { filename: fileName(request.url, 'pdf'), contentType: 'application/pdf' },
    );
    return {
      output: {
        url: request.url === undefined ? null : page.url,
        title: page.title,
        status: page.status,
        blocked_requests: page.blockedRequests,
        pdf,
      },
    };
  },
});

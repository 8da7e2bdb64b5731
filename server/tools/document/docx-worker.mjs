// Runs in a worker process: a long text becomes hundreds of thousands of XML nodes.
import { readFile, writeFile } from 'node:fs/promises';
import { Document, Footer, Packer, PageNumber, Paragraph, TextRun } from 'docx';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { renderDocx, STYLES, TWIPS_PER_PIXEL } from './docx-blocks.mjs';
import { parseMarkdown } from './markdown.mjs';

/**
 * @typedef {object} DocxRequest
 * @property {string} markdown
 * @property {Record<string, import('./images-worker.mjs').Picture>} pictures by source
 * @property {string} output path of the new file
 * @property {string | undefined} [title]
 * @property {string | undefined} [author]
 * @property {'A4' | 'A5' | 'LETTER' | 'LEGAL'} pageSize
 * @property {'portrait' | 'landscape'} orientation
 * @property {boolean} pageNumbers
 */

/** Width and height in twentieths of a point. */
const PAGES = {
  A4: [11_906, 16_838],
  A5: [8_391, 11_906],
  LETTER: [12_240, 15_840],
  LEGAL: [12_240, 20_160],
};
const MARGIN = 1_247;

/** @param {DocxRequest} request */
export function writeDocx(request) {
  return refusable(async () => {
    const { blocks, notes, warnings } = parseMarkdown(request.markdown);
    if (blocks.length === 0 && request.title === undefined)
      throw new Refusal('markdown: the document is empty. Add some text or a title.');
    const [width = 0, height = 0] = PAGES[request.pageSize];
    const across = request.orientation === 'landscape' ? height : width;
    const pictures = await loadPictures(request.pictures);
    const [first] = blocks;
    const { title } = request;
    const hasTitle = first?.kind === 'heading' && first.level === 1;
    const heading =
      title !== undefined && !hasTitle
        ? [{ kind: /** @type {const} */ ('heading'), level: 1, runs: [{ text: title }] }]
        : [];
    const content = { blocks: [...heading, ...blocks], notes, warnings };
    const room = Math.floor((across - 2 * MARGIN) / TWIPS_PER_PIXEL);
    const rendered = renderDocx(content, { pictures, width: room });
    const document = new Document({
      creator: request.author ?? 'Tool Gateway',
      ...(title !== undefined && { title }),
      styles: STYLES,
      numbering: rendered.numbering,
      footnotes: rendered.footnotes,
      sections: [
        {
          properties: {
            page: {
              size: { width, height, orientation: request.orientation },
              margin: { top: MARGIN, right: MARGIN, bottom: MARGIN, left: MARGIN },
            },
          },
          ...(request.pageNumbers ? { footers: { default: footer() } } : {}),
          children: rendered.children,
        },
      ],
    });
    await writeFile(request.output, await Packer.toBuffer(document));
    return { warnings: [...warnings, ...rendered.warnings] };
  });
}

function footer() {
  const children = [PageNumber.CURRENT, ' / ', PageNumber.TOTAL_PAGES];
  return new Footer({
    children: [
      new Paragraph({
        alignment: 'center',
        children: [new TextRun({ children, size: 18, color: '6B7280' })],
      }),
    ],
  });
}

/** @param {DocxRequest['pictures']} pictures */
async function loadPictures(pictures) {
  const entries = Object.entries(pictures).map(async ([source, picture]) => {
    return /** @type {const} */ ([source, { ...picture, data: await readFile(picture.path) }]);
  });
  return new Map(await Promise.all(entries));
}

// Runs in a worker process: pdfmake takes a second to load, and about 10 ms to lay out a page.
import { readFile, writeFile } from 'node:fs/promises';
import pdfmake from 'pdfmake';
import { Refusal, refusable } from '../../kit/worker-refusal.mjs';
import { ROBOTO } from '../sdk/roboto.mjs';
import { Glyphs } from './glyphs.mjs';
import { parseMarkdown } from './markdown.mjs';
import { LINE_HEIGHT, renderPdf } from './pdf-blocks.mjs';

const FONTS = {
  Roboto: {
    normal: ROBOTO.regular,
    bold: ROBOTO.medium,
    italics: ROBOTO.italic,
    bolditalics: ROBOTO.mediumItalic,
  },
  // One of the 14 standard PDF fonts.
  Courier: {
    normal: 'Courier',
    bold: 'Courier-Bold',
    italics: 'Courier-Oblique',
    bolditalics: 'Courier-BoldOblique',
  },
};
const FILES = new Set(Object.values(FONTS).flatMap((font) => Object.values(font)));

pdfmake.setFonts(FONTS);
pdfmake.setUrlAccessPolicy(() => false);
pdfmake.setLocalAccessPolicy((/** @type {string} */ path) => FILES.has(path));

/** @typedef {import('./markdown.mjs').Run} Run */
/**
 * @typedef {object} PdfRequest
 * @property {string} markdown
 * @property {Record<string, import('./images-worker.mjs').Picture>} pictures by source
 * @property {string} output path of the new file
 * @property {string | undefined} [title]
 * @property {string | undefined} [author]
 * @property {'A4' | 'A5' | 'LETTER' | 'LEGAL'} pageSize
 * @property {'portrait' | 'landscape'} orientation
 * @property {number} margin in millimetres
 * @property {number} fontSize in points
 * @property {boolean} pageNumbers
 * @property {boolean} tableOfContents
 */

const POINTS_PER_MM = 72 / 25.4;
/** Width of a portrait page, in points. */
const PAGE_WIDTHS = { A4: 595.28, A5: 419.53, LETTER: 612, LEGAL: 612 };
const PAGE_HEIGHTS = { A4: 841.89, A5: 595.28, LETTER: 792, LEGAL: 1008 };

/** @param {PdfRequest} request */
export function writePdf(request) {
  return refusable(async () => {
    const { blocks, notes, warnings } = parseMarkdown(request.markdown);
    if (blocks.length === 0 && request.title === undefined)
      throw new Refusal('markdown: the document is empty. Add some text or a title.');
    const glyphs = new Glyphs();
    const margin = request.margin * POINTS_PER_MM;
    const upright = request.orientation === 'portrait';
    const width = (upright ? PAGE_WIDTHS : PAGE_HEIGHTS)[request.pageSize] - 2 * margin;
    const height = (upright ? PAGE_HEIGHTS : PAGE_WIDTHS)[request.pageSize] - 2 * margin;
    const page = { glyphs, width, height, pictures: request.pictures, fontSize: request.fontSize };
    const [first] = blocks;
    const hasTitle = first?.kind === 'heading' && first.level === 1;
    const { title } = request;
    const named = first?.kind === 'heading' ? readHeading(first) : undefined;
    const heading = title === undefined || hasTitle ? [] : [buildTitleBlock(title)];
    const contents = renderPdf({ blocks: [...heading, ...blocks], notes }, page);
    const definition = {
      ...buildPageOptions(request, margin),
      info: { title: title ?? named ?? 'Document', author: request.author, creator: 'Tool Gateway' },
      content: [
        ...contents.slice(0, heading.length).map(excludeFromContents),
        ...buildTableOfContents(request),
        ...contents.slice(heading.length),
      ],
      images: await embed(request.pictures),
      pageBreakBefore: createHeadingCheck(margin + height),
    };
    // pdfmake's type does not cover content built dynamically.
    const document = pdfmake.createPdf(
      /** @type {import('pdfmake/interfaces').TDocumentDefinitions} */ (/** @type {unknown} */ (definition)),
    );
    await writeFile(request.output, await document.getBuffer());
    return { warnings: [...warnings, ...glyphs.warnings()] };
  });
}

/** The words of a heading, without the numbers of footnotes. @param {{ runs: Run[] }} heading */
function readHeading({ runs }) {
  return runs
    .filter(({ note }) => note === undefined)
    .map(({ text }) => text)
    .join('');
}

/** @param {string} title @returns {import('./markdown.mjs').Block} */
function buildTitleBlock(title) {
  return { kind: 'heading', level: 1, runs: [{ text: title }] };
}

/** Excludes the title from the table of contents. @param {Record<string, unknown>} content */
function excludeFromContents({ tocItem: _listed, ...content }) {
  return content;
}

/**
 * A node of pdfmake. Our headings have the room that what follows needs, in points.
 * @typedef {{ text?: unknown, image?: unknown, canvas?: unknown, headlineLevel?: number,
 *   startPosition: { top: number } }} PdfNode
 */

/**
 * Decides whether a heading would end its page, perhaps with other headings.
 * @param {number} bottom of the text on a page, in points
 */
function createHeadingCheck(bottom) {
  return (
    /** @type {PdfNode} */ { headlineLevel: room },
    /** @type {{ getFollowingNodesOnPage(): PdfNode[], getNodesOnNextPage(): PdfNode[] }} */ around,
  ) => {
    if (room === undefined) return false;
    const following = around.getFollowingNodesOnPage();
    const next = following.find(
      ({ text, image, canvas, headlineLevel }) =>
        headlineLevel === undefined && (text ?? image ?? canvas) !== undefined,
    );
    if (next === undefined) return around.getNodesOnNextPage().length > 0;
    return next.startPosition.top + room > bottom;
  };
}

/** @param {PdfRequest} request @param {number} margin in points */
function buildPageOptions({ pageSize, orientation, fontSize, pageNumbers }, margin) {
  const footer = (/** @type {number} */ page, /** @type {number} */ count) => ({
    text: `${page} / ${count}`,
    alignment: 'center',
    fontSize: 8.5,
    color: '#6b7280',
    margin: [0, Math.max(0, margin / 2 - 6), 0, 0],
  });
  return {
    pageSize,
    pageOrientation: orientation,
    pageMargins: margin,
    defaultStyle: { font: 'Roboto', fontSize, lineHeight: LINE_HEIGHT, color: '#1f2937' },
    ...(pageNumbers ? { footer } : {}),
  };
}

/** @param {PdfRequest} request */
function buildTableOfContents({ tableOfContents, fontSize }) {
  if (!tableOfContents) return [];
  const title = { text: 'Contents', fontSize: fontSize * 1.3, bold: true, margin: [0, 4, 0, 8] };
  return [{ toc: { title, numberStyle: { color: '#6b7280' } }, margin: [0, 0, 0, 20] }];
}

/**
 * @param {PdfRequest['pictures']} pictures
 * @returns {Promise<Record<string, string>>} data URIs by path
 */
async function embed(pictures) {
  const entries = Object.values(pictures).map(async ({ path, type }) => {
    const media = type === 'png' ? 'image/png' : 'image/jpeg';
    return [path, `data:${media};base64,${(await readFile(path)).toString('base64')}`];
  });
  return Object.fromEntries(await Promise.all(entries));
}

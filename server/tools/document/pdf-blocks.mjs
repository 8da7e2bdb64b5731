// Renders blocks of a document as pdfmake content.
import { isPlain } from './glyphs.mjs';

/** @typedef {import('./markdown.mjs').Block} Block */
/** @typedef {import('./markdown.mjs').Run} Run */
/** @typedef {Record<string, unknown>} Content of pdfmake */

const LINK = '#0b5cad';
const QUIET = '#6b7280';
const LINE = '#d1d5db';
const GROUND = '#f3f4f6';
/** Heading sizes relative to the font size. */
const HEADING_SCALE = [2, 1.55, 1.28, 1.12, 1, 1];
const CSS_PIXEL_POINTS = 0.75;
/** Deepest heading level in a table of contents. */
const MAX_LISTED_LEVEL = 3;

/**
 * @param {object} page
 * @param {import('./glyphs.mjs').Glyphs} page.glyphs
 * @param {number} page.width room for text, in points
 * @param {number} page.height
 * @param {number} page.fontSize
 * @param {Record<string, import('./images-worker.mjs').Picture>} page.pictures by source
 * @returns {(blocks: Block[]) => Content[]}
 */
export function createPdfBlocks(page) {
  const renderBlocks = (/** @type {Block[]} */ blocks) => blocks.map(renderBlock);
  const gap = page.fontSize * 0.75;

  /** @param {Block} block @returns {Content} */
  function renderBlock(block) {
    switch (block.kind) {
      case 'heading':
        return renderHeading(block);
      case 'paragraph':
        return { text: renderRuns(block.runs), margin: [0, 0, 0, gap] };
      case 'code':
        return renderCode(block.text);
      case 'quote':
        return renderQuote(block.blocks);
      case 'list':
        return renderList(block);
      case 'table':
        return renderTable(block);
      case 'image':
        return renderImage(block);
      case 'rule':
        return renderRule();
    }
  }

  /** @param {Block & { kind: 'heading' }} block @returns {Content} */
  function renderHeading({ level, runs }) {
    const size = page.fontSize * (HEADING_SCALE[level - 1] ?? 1);
    const listed = level <= MAX_LISTED_LEVEL ? { tocItem: true, tocMargin: [(level - 1) * 12, 2, 0, 2] } : {};
    return {
      text: renderRuns(runs),
      fontSize: size,
      bold: true,
      color: '#111827',
      lineHeight: 1.15,
      margin: [0, level === 1 ? 0 : gap * 0.9, 0, gap * 0.8],
      // Read by isLonelyHeading, so that a heading never ends a page.
      headlineLevel: level,
      ...listed,
    };
  }

  /** @param {Run[]} runs @returns {Content[]} */
  function renderRuns(runs) {
    return runs.map(({ text, bold, italic, strike, code, link }) => {
      const fitted = page.glyphs.fit(text);
      return {
        text: fitted,
        ...(bold ? { bold } : {}),
        ...(italic ? { italics: true } : {}),
        ...(code
          ? { background: GROUND, color: '#374151', ...(isPlain(fitted) ? { font: 'Courier' } : {}) }
          : {}),
        ...(link ? { link, color: LINK, decoration: 'underline' } : {}),
        ...(strike ? { decoration: 'lineThrough' } : {}),
      };
    });
  }

  /** @param {string} code @returns {Content} */
  function renderCode(code) {
    const text = page.glyphs.fit(code.replace(/\t/g, '    '));
    const font = isPlain(text) ? { font: 'Courier' } : {};
    const cell = {
      text,
      ...font,
      fontSize: page.fontSize * 0.82,
      preserveLeadingSpaces: true,
      lineHeight: 1.5,
      margin: [8, 7, 8, 5],
    };
    return {
      table: { widths: ['*'], body: [[cell]] },
      layout: { hLineWidth: () => 0, vLineWidth: () => 0, fillColor: () => GROUND },
      margin: [0, 2, 0, gap * 1.2],
    };
  }

  /** @param {Block[]} blocks @returns {Content} */
  function renderQuote(blocks) {
    return {
      table: {
        widths: ['*'],
        body: [[{ stack: renderBlocks(blocks), color: '#4b5563', margin: [10, 3, 0, 0] }]],
      },
      layout: {
        hLineWidth: () => 0,
        vLineWidth: (/** @type {number} */ at) => (at === 0 ? 2.5 : 0),
        vLineColor: () => LINE,
      },
      margin: [0, 2, 0, gap],
    };
  }

  /** @param {Block & { kind: 'list' }} block @returns {Content} */
  function renderList({ ordered, start, items }) {
    const entries = items.map(({ checked, blocks }) => {
      const [head, ...rest] = renderBlocks(blocks);
      const mark = checked === undefined ? [] : [{ text: checked ? '[x]  ' : '[  ]  ', color: QUIET }];
      const first =
        head && Array.isArray(head.text)
          ? { ...head, text: [...mark, ...head.text] }
          : (head ?? { text: mark });
      // Lines in a list are closer together than paragraphs.
      const all = [first, ...rest].map((content) => ({ ...content, margin: [0, 0, 0, gap * 0.35] }));
      return { stack: all, ...(checked === undefined ? {} : { listType: 'none' }) };
    });
    const margin = [0, 0, 0, gap * 0.7];
    return ordered ? { ol: entries, start, margin } : { ul: entries, margin, markerColor: QUIET };
  }

  /** @param {Block & { kind: 'table' }} block @returns {Content} */
  function renderTable({ aligns, header, rows }) {
    const renderCell = (/** @type {Run[]} */ runs, /** @type {number} */ at, isHead = false) => ({
      text: renderRuns(runs),
      alignment: aligns[at] ?? 'left',
      fontSize: page.fontSize * 0.92,
      margin: [2, 3, 2, 1],
      ...(isHead ? { bold: true, color: '#111827' } : {}),
    });
    const body = [
      header.map((runs, at) => renderCell(runs, at, true)),
      ...rows.map((row) => header.map((_runs, at) => renderCell(row[at] ?? [], at))),
    ];
    return {
      table: {
        headerRows: 1,
        dontBreakRows: rows.length > 0,
        widths: chooseColumnWidths(header, rows),
        body,
      },
      layout: {
        hLineWidth: (/** @type {number} */ at) => (at === 1 ? 1 : 0.5),
        vLineWidth: () => 0,
        hLineColor: (/** @type {number} */ at) => (at === 1 ? '#9ca3af' : LINE),
        fillColor: (/** @type {number} */ row) => (row === 0 ? '#f9fafb' : null),
      },
      margin: [0, 2, 0, gap * 1.4],
    };
  }

  /**
   * Columns of numbers and short words fit their content; the others share the remaining width.
   * @param {Run[][]} header
   * @param {Run[][][]} rows
   */
  function chooseColumnWidths(header, rows) {
    const lengths = header.map((runs, at) =>
      Math.max(
        ...[runs, ...rows.map((row) => row[at] ?? [])].map((cell) =>
          cell.reduce((sum, { text }) => sum + text.length, 0),
        ),
      ),
    );
    const widest = Math.max(...lengths);
    return lengths.map((length) => (length <= 16 && length < widest ? 'auto' : '*'));
  }

  /** @param {Block & { kind: 'image' }} block @returns {Content} */
  function renderImage({ source, alt }) {
    const picture = Object.hasOwn(page.pictures, source) ? page.pictures[source] : undefined;
    if (!picture)
      return { text: page.glyphs.fit(alt || 'Picture'), italics: true, color: QUIET, margin: [0, 0, 0, gap] };
    const natural = { width: picture.width * CSS_PIXEL_POINTS, height: picture.height * CSS_PIXEL_POINTS };
    const scale = Math.min(1, page.width / natural.width, (page.height * 0.85) / natural.height);
    return { image: picture.path, width: natural.width * scale, margin: [0, 4, 0, gap * 1.2] };
  }

  /** @returns {Content} */
  function renderRule() {
    const line = { type: 'line', x1: 0, y1: 0, x2: page.width, y2: 0, lineWidth: 0.7, lineColor: LINE };
    return { canvas: [line], margin: [0, gap, 0, gap * 1.3] };
  }

  return renderBlocks;
}

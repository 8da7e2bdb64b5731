// Renders blocks of a document as pdfmake content.
import { isPlain } from './glyphs.mjs';

/** @typedef {import('./markdown.mjs').Block} Block */
/** @typedef {import('./markdown.mjs').Run} Run */
/** @typedef {Record<string, unknown>} Content of pdfmake */
/**
 * @typedef {object} Page
 * @property {import('./glyphs.mjs').Glyphs} glyphs
 * @property {number} width room for text, in points
 * @property {number} height
 * @property {number} fontSize
 * @property {number} gap space below a paragraph, in points
 * @property {Record<string, import('./images-worker.mjs').Picture>} pictures by source
 */

const LINK = '#0b5cad';
const QUIET = '#6b7280';
const LINE = '#d1d5db';
const GROUND = '#f3f4f6';
/** Heading sizes relative to the font size. */
const HEADING_SCALE = [2, 1.55, 1.28, 1.12, 1, 1];
/** Space below a paragraph, relative to the font size. */
const GAP_SCALE = 0.75;
const CSS_PIXEL_POINTS = 0.75;
/** Deepest heading level in a table of contents. */
const MAX_LISTED_LEVEL = 3;

/** @param {Omit<Page, 'gap'>} options @returns {(blocks: Block[]) => Content[]} */
export function createPdfBlocks(options) {
  const page = { ...options, gap: options.fontSize * GAP_SCALE };
  return (blocks) => renderBlocks(blocks, page);
}

/** @param {Block[]} blocks @param {Page} page */
function renderBlocks(blocks, page) {
  return blocks.map((block) => renderBlock(block, page));
}

/** @param {Block} block @param {Page} page @returns {Content} */
function renderBlock(block, page) {
  switch (block.kind) {
    case 'heading':
      return renderHeading(block, page);
    case 'paragraph':
      return { text: renderRuns(block.runs, page), margin: [0, 0, 0, page.gap] };
    case 'code':
      return renderCode(block.text, page);
    case 'quote':
      return renderQuote(block.blocks, page);
    case 'list':
      return renderList(block, page);
    case 'table':
      return renderTable(block, page);
    case 'image':
      return renderImage(block, page);
    case 'rule':
      return renderRule(page);
  }
}

/** @param {Block & { kind: 'heading' }} block @param {Page} page @returns {Content} */
function renderHeading({ level, runs }, page) {
  const { fontSize, gap } = page;
  const size = fontSize * (HEADING_SCALE[level - 1] ?? 1);
  const listed = level <= MAX_LISTED_LEVEL ? { tocItem: true, tocMargin: [(level - 1) * 12, 2, 0, 2] } : {};
  return {
    text: renderRuns(runs, page),
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

/** @param {Run[]} runs @param {Page} page @returns {Content[]} */
function renderRuns(runs, { glyphs }) {
  return runs.map(({ text, bold, italic, strike, code, link }) => {
    const fitted = glyphs.fit(text);
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

/** @param {string} code @param {Page} page @returns {Content} */
function renderCode(code, { glyphs, fontSize, gap }) {
  const text = glyphs.fit(code.replace(/\t/g, '    '));
  const font = isPlain(text) ? { font: 'Courier' } : {};
  const cell = {
    text,
    ...font,
    fontSize: fontSize * 0.82,
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

/** @param {Block[]} blocks @param {Page} page @returns {Content} */
function renderQuote(blocks, page) {
  return {
    table: {
      widths: ['*'],
      body: [[{ stack: renderBlocks(blocks, page), color: '#4b5563', margin: [10, 3, 0, 0] }]],
    },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: (/** @type {number} */ at) => (at === 0 ? 2.5 : 0),
      vLineColor: () => LINE,
    },
    margin: [0, 2, 0, page.gap],
  };
}

/** @param {Block & { kind: 'list' }} block @param {Page} page @returns {Content} */
function renderList({ ordered, start, items }, page) {
  const { gap } = page;
  const entries = items.map(({ checked, blocks }) => {
    const [head, ...rest] = renderBlocks(blocks, page);
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

/** @param {Block & { kind: 'table' }} block @param {Page} page @returns {Content} */
function renderTable({ aligns, header, rows }, page) {
  const renderCell = (/** @type {Run[]} */ runs, /** @type {number} */ at, isHead = false) => ({
    text: renderRuns(runs, page),
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
    margin: [0, 2, 0, page.gap * 1.4],
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

/** @param {Block & { kind: 'image' }} block @param {Page} page @returns {Content} */
function renderImage({ source, alt }, { pictures, glyphs, width, height, gap }) {
  const picture = Object.hasOwn(pictures, source) ? pictures[source] : undefined;
  if (!picture)
    return { text: glyphs.fit(alt || 'Picture'), italics: true, color: QUIET, margin: [0, 0, 0, gap] };
  const natural = { width: picture.width * CSS_PIXEL_POINTS, height: picture.height * CSS_PIXEL_POINTS };
  const scale = Math.min(1, width / natural.width, (height * 0.85) / natural.height);
  return { image: picture.path, width: natural.width * scale, margin: [0, 4, 0, gap * 1.2] };
}

/** @param {Page} page @returns {Content} */
function renderRule({ width, gap }) {
  const line = { type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineWidth: 0.7, lineColor: LINE };
  return { canvas: [line], margin: [0, gap, 0, gap * 1.3] };
}

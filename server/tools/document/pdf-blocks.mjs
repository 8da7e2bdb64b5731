// Renders blocks of a document as pdfmake content.

import { measureWidth } from '../sdk/roboto.mjs';
import { isPlain } from './glyphs.mjs';
import { readWords } from './markdown.mjs';

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
export const LINE_HEIGHT = 1.3;
/** Size of footnotes, relative to the text. */
const NOTE_SCALE = 0.85;
/** What a cell needs beyond its content, in points. */
const CELL_PADDING = 13;
/** Room that a list or a quote takes from its content, in points. */
const INDENT = 22;
/** Deepest heading level in a table of contents. */
const MAX_LISTED_LEVEL = 3;

/**
 * Renders a text, with its footnotes at the end.
 * @param {Pick<import('./markdown.mjs').Text, 'blocks' | 'notes'>} text
 * @param {Omit<Page, 'gap'>} options
 * @returns {Content[]}
 */
export function renderPdf({ blocks, notes }, options) {
  const page = { ...options, gap: options.fontSize * GAP_SCALE };
  return trimLast([...renderBlocks(blocks, page), ...(notes.length > 0 ? renderNotes(notes, page) : [])]);
}

/** @param {Content[]} contents */
function trimLast(contents) {
  return contents.map((content, at) => (at === contents.length - 1 ? trimBottom(content) : content));
}

/**
 * Removes the space below the last content, which would move to a page of its own.
 * @param {Content} content
 * @returns {Content}
 */
function trimBottom(content) {
  const [left, top, right] = Array.isArray(content.margin) ? content.margin : [0, 0, 0];
  const trimmed = { ...content, margin: [left, top, right, 0] };
  for (const key of ['stack', 'ol', 'ul']) {
    const items = content[key];
    if (Array.isArray(items)) return { ...trimmed, [key]: trimLast(items) };
  }
  return trimmed;
}

/** @param {Block[][]} notes @param {Page} page @returns {Content[]} */
function renderNotes(notes, { gap, ...page }) {
  const small = { ...page, gap: gap * NOTE_SCALE, fontSize: page.fontSize * NOTE_SCALE };
  const entries = notes.map((blocks, at) => {
    const [head = { text: '' }, ...rest] = renderBlocks(blocks, small);
    return { stack: [{ ...head, id: `note-${at + 1}` }, ...rest] };
  });
  const line = { type: 'line', x1: 0, y1: 0, x2: page.width / 3, y2: 0, lineWidth: 0.7, lineColor: LINE };
  return [
    { canvas: [line], margin: [0, gap * 2, 0, gap] },
    { ol: entries, fontSize: small.fontSize, margin: [0, 0, 0, gap] },
  ];
}

/** @param {Block[]} blocks @param {Page} page */
function renderBlocks(blocks, page) {
  let room = 0;
  // From the end, because headings need room for what follows the last of them.
  return blocks
    .toReversed()
    .map((block) => {
      if (block.kind === 'heading') return renderHeading(block, room, page);
      room = block.kind === 'table' ? estimateFirstRows(block, page) : 0;
      return renderBlock(block, page);
    })
    .reverse();
}

/** @param {Exclude<Block, { kind: 'heading' }>} block @param {Page} page @returns {Content} */
function renderBlock(block, page) {
  switch (block.kind) {
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

/**
 * @param {Block & { kind: 'heading' }} block
 * @param {number} room that what follows needs on the same page, in points
 * @param {Page} page
 * @returns {Content}
 */
function renderHeading({ level, runs }, room, page) {
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
    // Read by createHeadingCheck, so that a heading never ends a page.
    headlineLevel: room,
    ...listed,
  };
}

/** @param {Run[]} runs @param {Page} page @returns {Content[]} */
function renderRuns(runs, { glyphs }) {
  return runs.map(({ text, bold, italic, strike, code, sup, sub, link, note }) => {
    const fitted = glyphs.fit(text);
    return {
      text: fitted,
      ...(bold ? { bold } : {}),
      ...(italic ? { italics: true } : {}),
      ...(code
        ? { background: GROUND, color: '#374151', ...(isPlain(fitted) ? { font: 'Courier' } : {}) }
        : {}),
      ...(sup ? { sup } : {}),
      ...(sub ? { sub } : {}),
      ...(link ? { link, color: LINK, decoration: 'underline' } : {}),
      ...(note === undefined ? {} : { linkToDestination: `note-${note}`, color: LINK }),
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
  };
  return {
    table: { widths: ['*'], body: [[cell]] },
    // Not margins of the cell: at the end of a page, they would take an empty box to the next.
    layout: {
      hLineWidth: () => 0,
      vLineWidth: () => 0,
      fillColor: () => GROUND,
      ...{ paddingLeft: () => 12, paddingRight: () => 12, paddingTop: () => 9, paddingBottom: () => 7 },
    },
    margin: [0, 2, 0, gap * 1.2],
  };
}

/** @param {Block[]} blocks @param {Page} page @returns {Content} */
function renderQuote(blocks, page) {
  const inner = { ...page, width: page.width - INDENT };
  return {
    table: {
      widths: ['*'],
      body: [[{ stack: trimLast(renderBlocks(blocks, inner)), color: '#4b5563' }]],
    },
    layout: {
      hLineWidth: () => 0,
      vLineWidth: (/** @type {number} */ at) => (at === 0 ? 2.5 : 0),
      vLineColor: () => LINE,
      ...{ paddingLeft: () => 14, paddingTop: () => 5, paddingBottom: () => page.gap * 0.8 },
    },
    margin: [0, 2, 0, page.gap],
  };
}

/** @param {Block & { kind: 'list' }} block @param {Page} page @returns {Content} */
function renderList({ ordered, start, items }, page) {
  const { gap } = page;
  const entries = items.map(({ checked, blocks }) => {
    const [head, ...rest] = renderBlocks(blocks, { ...page, width: page.width - INDENT });
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

/** @param {import('./markdown.mjs').Table} block @param {Page} page @returns {Content} */
function renderTable({ aligns, header, rows }, page) {
  const room = { ...page, width: page.width / header.length - CELL_PADDING, gap: 0 };
  const renderCell = (/** @type {Block[]} */ blocks, /** @type {number} */ at, isHead = false) => ({
    stack: renderBlocks(blocks, room),
    alignment: aligns[at] ?? 'left',
    fontSize: page.fontSize * 0.92,
    margin: [2, 3, 2, 1],
    ...(isHead ? { bold: true, color: '#111827' } : {}),
  });
  const body = [
    header.map((cell, at) => renderCell(cell, at, true)),
    ...rows.map((row) => header.map((_cell, at) => renderCell(row[at] ?? [], at))),
  ];
  return {
    table: {
      headerRows: 1,
      keepWithHeaderRows: rows.length > 0 ? 1 : 0,
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
 * The height of the header and the first row, which stay together, in points. pdfmake does not say
 * that it moved them to the next page.
 * @param {import('./markdown.mjs').Table} block
 * @param {Page} page
 */
function estimateFirstRows({ header, rows }, page) {
  const width = Math.max(1, page.width / header.length - CELL_PADDING);
  const line = page.fontSize * LINE_HEIGHT;
  const estimateBlock = (/** @type {Block} */ block) => {
    const picture = block.kind === 'image' ? page.pictures[block.source] : undefined;
    if (picture) return Math.min(1, width / (picture.width * CSS_PIXEL_POINTS)) * picture.height;
    const lines = readWords([block]).split('\n');
    return line * lines.reduce((sum, text) => sum + Math.ceil(measureWidth(text, page.fontSize) / width), 0);
  };
  const heights = [header, rows[0] ?? []].map((cells) =>
    Math.max(...cells.map((cell) => cell.reduce((sum, block) => sum + estimateBlock(block), 0)), line),
  );
  const total = heights.reduce((sum, height) => sum + height + CELL_PADDING, 0);
  return Math.min(total, page.height / 2);
}

/**
 * Columns of numbers and short words fit their content; the others share the remaining width.
 * @param {Block[][]} header
 * @param {Block[][][]} rows
 */
function chooseColumnWidths(header, rows) {
  const lengths = header.map((head, at) =>
    Math.max(
      ...[head, ...rows.map((row) => row[at] ?? [])].map((cell) =>
        cell.some(({ kind }) => kind === 'image') ? Number.POSITIVE_INFINITY : readWords(cell).length,
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

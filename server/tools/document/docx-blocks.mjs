// Renders blocks of a document as Word paragraphs and tables.
import {
  AlignmentType,
  BorderStyle,
  ExternalHyperlink,
  HeadingLevel,
  ImageRun,
  LevelFormat,
  Paragraph,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';

/** @typedef {import('./markdown.mjs').Block} Block */
/** @typedef {import('./markdown.mjs').Run} Run */
/** @typedef {import('./images-worker.mjs').Picture & { data: Buffer }} LoadedPicture */
/** @typedef {{ pictures: Map<string, LoadedPicture>, width: number }} Page width in pixels */
/** @typedef {Page & { lists: number }} Rendering with the number of lists so far */
/** @typedef {{ indent: number, level: number, quoted: boolean }} Place */

const CODE_FONT = 'Consolas';
const GROUND = 'F3F4F6';
const LINE = 'D1D5DB';
/** Per level of a list or quote, in twentieths of a point. */
const INDENT = 400;
const MAX_LIST_LEVEL = 8;
const HEADINGS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
  HeadingLevel.HEADING_6,
];
/** In half points. */
const HEADING_SIZES = [40, 32, 27, 24, 22, 22];

const headingStyles = Object.fromEntries(
  HEADING_SIZES.map((size, at) => [
    `heading${at + 1}`,
    {
      run: { size, bold: true, color: '111827', font: 'Calibri' },
      paragraph: { spacing: { before: at === 0 ? 0 : 280, after: 140 }, keepNext: true },
    },
  ]),
);

export const STYLES = {
  default: {
    document: {
      run: { font: 'Calibri', size: 22, color: '1F2937' },
      paragraph: { spacing: { after: 140, line: 288 } },
    },
    hyperlink: { run: { color: '0B5CAD', underline: {} } },
    ...headingStyles,
  },
};

const levels = Array.from({ length: MAX_LIST_LEVEL + 1 }, (_, level) => ({
  level,
  format: LevelFormat.DECIMAL,
  text: `%${level + 1}.`,
  alignment: AlignmentType.START,
  style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: 360 } } },
}));

export const NUMBERING = { config: [{ reference: 'ordered', levels }] };

/** @param {Page} page @returns {(blocks: Block[]) => (Paragraph | Table)[]} */
export function createDocxBlocks(page) {
  const rendering = { ...page, lists: 0 };
  return (blocks) => renderBlocks(blocks, { indent: 0, level: 0, quoted: false }, rendering);
}

/**
 * @param {Block[]} blocks
 * @param {Place} place
 * @param {Rendering} rendering
 */
function renderBlocks(blocks, place, rendering) {
  return blocks.flatMap((block) => renderBlock(block, place, rendering));
}

/**
 * @param {Block} block
 * @param {Place} place
 * @param {Rendering} rendering
 * @returns {(Paragraph | Table)[]}
 */
function renderBlock(block, place, rendering) {
  switch (block.kind) {
    case 'heading': {
      const heading = HEADINGS[block.level - 1];
      return [new Paragraph({ ...(heading && { heading }), children: renderRuns(block.runs) })];
    }
    case 'paragraph':
      return [new Paragraph({ ...buildFrame(place), children: renderRuns(block.runs) })];
    case 'code':
      return renderCode(block.text, place);
    case 'quote':
      return renderBlocks(block.blocks, { ...place, indent: place.indent + INDENT, quoted: true }, rendering);
    case 'list':
      return renderList(block, place, rendering);
    case 'table':
      return [renderTable(block), new Paragraph({ spacing: { after: 60 } })];
    case 'image':
      return [renderImage(block, rendering)];
    case 'rule':
      return [new Paragraph({ border: { bottom: { style: BorderStyle.SINGLE, size: 6, color: LINE } } })];
  }
}

/** @param {Place} place */
function buildFrame({ indent, quoted }) {
  const border = { left: { style: BorderStyle.SINGLE, size: 18, color: LINE, space: 8 } };
  return { ...(indent > 0 ? { indent: { left: indent } } : {}), ...(quoted ? { border } : {}) };
}

/** @param {string} code @param {Place} place */
function renderCode(code, place) {
  const lines = code.split('\n');
  const children = lines.map(
    (text, at) => new TextRun({ text, font: CODE_FONT, size: 19, ...(at > 0 ? { break: 1 } : {}) }),
  );
  const shading = { type: ShadingType.CLEAR, fill: GROUND, color: 'auto' };
  return [
    new Paragraph({
      ...buildFrame(place),
      shading,
      children,
      spacing: { before: 80, after: 180, line: 250 },
    }),
  ];
}

/**
 * @param {Block & { kind: 'list' }} block
 * @param {Place} place
 * @param {Rendering} rendering
 */
function renderList({ ordered, items }, place, rendering) {
  rendering.lists += 1;
  const instance = rendering.lists;
  const level = Math.min(place.level, MAX_LIST_LEVEL);
  const below = { ...place, level: place.level + 1, indent: INDENT * (place.level + 1) };
  return items.flatMap(({ checked, blocks }) => {
    const [head, ...rest] = blocks;
    const mark = checked === undefined ? [] : [new TextRun({ text: checked ? '\u2611 ' : '\u2610 ' })];
    const bullet = ordered ? { numbering: { reference: 'ordered', level, instance } } : { bullet: { level } };
    const words = head?.kind === 'paragraph' ? renderRuns(head.runs) : [];
    const first = new Paragraph({ ...bullet, spacing: { after: 60 }, children: [...mark, ...words] });
    const others = head && head.kind !== 'paragraph' ? [head, ...rest] : rest;
    return [first, ...renderBlocks(others, below, rendering)];
  });
}

/** @param {Block & { kind: 'table' }} block */
function renderTable({ aligns, header, rows }) {
  const border = { style: BorderStyle.SINGLE, size: 4, color: LINE };
  const borders = { top: border, bottom: border, left: border, right: border };
  const renderRow = (/** @type {Run[][]} */ cells, isHead = false) =>
    new TableRow({
      tableHeader: isHead,
      cantSplit: true,
      children: header.map((_runs, at) => {
        const children = renderRuns((cells[at] ?? []).map((run) => (isHead ? { ...run, bold: true } : run)));
        return new TableCell({
          borders,
          margins: { top: 60, bottom: 60, left: 100, right: 100 },
          ...(isHead ? { shading: { type: ShadingType.CLEAR, fill: GROUND, color: 'auto' } } : {}),
          children: [new Paragraph({ alignment: aligns[at] ?? 'left', spacing: { after: 0 }, children })],
        });
      }),
    });
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: [renderRow(header, true), ...rows.map((row) => renderRow(row))],
  });
}

/** @param {Block & { kind: 'image' }} block @param {Page} page */
function renderImage({ source, alt }, { pictures, width }) {
  const picture = pictures.get(source);
  if (!picture)
    return new Paragraph({
      children: [new TextRun({ text: alt || 'Picture', italics: true, color: '6B7280' })],
    });
  const scale = Math.min(1, width / picture.width);
  const transformation = {
    width: Math.round(picture.width * scale),
    height: Math.round(picture.height * scale),
  };
  const altText = { name: alt || 'Picture', title: alt, description: alt };
  return new Paragraph({
    children: [new ImageRun({ type: picture.type, data: picture.data, transformation, altText })],
  });
}

/** @param {Run[]} runs @returns {(TextRun | ExternalHyperlink)[]} */
function renderRuns(runs) {
  return runs.map(({ text, bold, italic, strike, code, link }) => {
    const shading = code
      ? { shading: { type: ShadingType.CLEAR, fill: GROUND, color: 'auto' }, font: CODE_FONT }
      : {};
    const content = text === '\n' ? { break: 1 } : { text };
    const run = new TextRun({
      ...content,
      ...(bold !== undefined && { bold }),
      ...(italic !== undefined && { italics: italic }),
      ...(strike !== undefined && { strike }),
      ...shading,
      ...(link ? { style: 'Hyperlink' } : {}),
    });
    return link ? new ExternalHyperlink({ link, children: [run] }) : run;
  });
}

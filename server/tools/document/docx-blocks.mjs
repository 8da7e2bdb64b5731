// Renders blocks of a document as Word paragraphs and tables.
import {
  AlignmentType,
  BorderStyle,
  ExternalHyperlink,
  FootnoteReferenceRun,
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
import { isRightToLeft, splitByDirection } from './direction.mjs';
import { readWords } from './markdown.mjs';

/** @typedef {import('./markdown.mjs').Block} Block */
/** @typedef {import('./markdown.mjs').Run} Run */
/** @typedef {import('./images-worker.mjs').Picture & { data: Buffer }} LoadedPicture */
/** @typedef {{ pictures: Map<string, LoadedPicture>, width: number }} Page width in pixels */
/** @typedef {import('docx').INumberingOptions['config'][number]} Numbering */
/**
 * @typedef {object} Rendering
 * @property {Page['pictures']} pictures
 * @property {number} width room for pictures, in pixels
 * @property {boolean} inNote Word has no pictures, tables and further notes in notes
 * @property {Numbering[]} numberings of the ordered lists so far
 * @property {Set<number>} referred notes with a reference
 * @property {Set<string>} warnings
 * @property {{ pictures: number }} ids the last one of a picture
 */
/** @typedef {{ indent: number, level: number, quoted: boolean }} Place */

const CODE_FONT = 'Consolas';
const GROUND = 'F3F4F6';
const LINE = 'D1D5DB';
/** Per level of a list or quote, in twentieths of a point. */
const INDENT = 400;
const MAX_LIST_LEVEL = 8;
/** Highest number that Word starts a list with. */
const MAX_LIST_START = 32_767;
export const TWIPS_PER_PIXEL = 15;
const CELL_MARGIN_PIXELS = 14;
const MAX_NAMED_CHARS = 120;
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

/**
 * Renders a text, with the numbering and the footnotes that its paragraphs refer to.
 * @param {import('./markdown.mjs').Text} text
 * @param {Page} page
 */
export function renderDocx({ blocks, notes }, page) {
  /** @type {Rendering} */
  const rendering = {
    ...page,
    inNote: false,
    numberings: [],
    referred: new Set(),
    warnings: new Set(),
    ids: { pictures: 0 },
  };
  const top = { indent: 0, level: 0, quoted: false };
  const children = renderBlocks(blocks, top, rendering);
  /** @type {Record<string, { children: Paragraph[] }>} */
  const footnotes = {};
  for (const [at, note] of notes.entries()) {
    const rendered = renderBlocks(note.flatMap(flattenTables), top, { ...rendering, inNote: true });
    const paragraphs = rendered.filter((block) => block instanceof Paragraph);
    footnotes[at + 1] = { children: paragraphs };
    if (!rendering.referred.has(at + 1))
      rendering.warnings.add(
        `Footnote ${at + 1} was left out: only another footnote refers to it, which Word cannot show.`,
      );
  }
  const { numberings, warnings } = rendering;
  return { children, footnotes, numbering: { config: numberings }, warnings: [...warnings] };
}

/** Replaces tables by a paragraph for each row. @param {Block} block @returns {Block[]} */
function flattenTables(block) {
  if (block.kind === 'quote') return [{ ...block, blocks: block.blocks.flatMap(flattenTables) }];
  if (block.kind === 'list') {
    const items = block.items.map((item) => ({ ...item, blocks: item.blocks.flatMap(flattenTables) }));
    return [{ ...block, items }];
  }
  if (block.kind !== 'table') return [block];
  return [block.header, ...block.rows].map((row) => ({
    kind: /** @type {const} */ ('paragraph'),
    runs: [{ text: row.map(readWords).join(' | ') }],
  }));
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
      return [
        new Paragraph({
          ...buildFrame(place),
          ...(heading && { heading }),
          ...renderWords(block.runs, rendering),
        }),
      ];
    }
    case 'paragraph':
      return [new Paragraph({ ...buildFrame(place), ...renderWords(block.runs, rendering) })];
    case 'code':
      return renderCode(block.text, place);
    case 'quote':
      return renderBlocks(block.blocks, { ...place, indent: place.indent + INDENT, quoted: true }, rendering);
    case 'list':
      return renderList(block, place, rendering);
    case 'table':
      return [renderTable(block, rendering), new Paragraph({ spacing: { after: 60 } })];
    case 'image':
      return [renderImage(block, place, rendering)];
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
function renderList({ ordered, start, items }, place, rendering) {
  const level = Math.min(place.level, MAX_LIST_LEVEL);
  const below = { ...place, level: place.level + 1, indent: INDENT * (place.level + 1) };
  const bullet = ordered ? { numbering: addNumbering(start, level, rendering) } : { bullet: { level } };
  return items.flatMap(({ checked, blocks }) => {
    const [head, ...rest] = blocks;
    const mark = checked === undefined ? [] : [new TextRun({ text: checked ? '\u2611 ' : '\u2610 ' })];
    const words = renderWords(head?.kind === 'paragraph' ? head.runs : [], rendering);
    const first = new Paragraph({
      ...{ ...bullet, ...words, spacing: { after: 60 } },
      children: [...mark, ...words.children],
    });
    const others = head && head.kind !== 'paragraph' ? [head, ...rest] : rest;
    return [first, ...renderBlocks(others, below, rendering)];
  });
}

/**
 * Adds the numbering of a list: one that lists share would go on counting, and start at 1.
 * @param {number} start
 * @param {number} level
 * @param {Rendering} rendering
 */
function addNumbering(start, level, { numberings, warnings }) {
  const reference = `list-${numberings.length + 1}`;
  if (start > MAX_LIST_START)
    warnings.add(`A list starts at ${start}; Word numbers lists up to ${MAX_LIST_START}, so it starts at 1.`);
  numberings.push({
    reference,
    levels: [
      {
        ...{ level, start: start > MAX_LIST_START ? 1 : start, text: `%${level + 1}.` },
        format: LevelFormat.DECIMAL,
        alignment: AlignmentType.START,
        style: { paragraph: { indent: { left: INDENT * (level + 1), hanging: 360 } } },
      },
    ],
  });
  return { reference, level };
}

/** @param {import('./markdown.mjs').Table} block @param {Rendering} rendering */
function renderTable({ aligns, header, rows }, rendering) {
  const border = { style: BorderStyle.SINGLE, size: 4, color: LINE };
  const borders = { top: border, bottom: border, left: border, right: border };
  const room = { ...rendering, width: Math.floor(rendering.width / header.length) - CELL_MARGIN_PIXELS };
  const renderRow = (/** @type {Block[][]} */ cells, isHead = false) =>
    new TableRow({
      ...(isHead && { tableHeader: true }),
      cantSplit: true,
      children: header.map(
        (_head, at) =>
          new TableCell({
            borders,
            margins: { top: 60, bottom: 60, left: 100, right: 100 },
            ...(isHead ? { shading: { type: ShadingType.CLEAR, fill: GROUND, color: 'auto' } } : {}),
            children: renderCell(cells[at] ?? [], aligns[at] ?? null, isHead, room),
          }),
      ),
    });
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    visuallyRightToLeft: isRightToLeft([header, ...rows].flat().map(readWords).join('\n')),
    rows: [renderRow(header, true), ...rows.map((row) => renderRow(row))],
  });
}

/**
 * @param {Block[]} blocks
 * @param {import('./markdown.mjs').Align | null} align
 * @param {boolean} isHead
 * @param {Rendering} rendering
 */
function renderCell(blocks, align, isHead, rendering) {
  const paragraphs = blocks.map((block) => {
    if (block.kind === 'image') return renderImage(block, undefined, rendering);
    const given = block.kind === 'paragraph' ? block.runs : [];
    const runs = given.map((run) => (isHead ? { ...run, bold: true } : run));
    const words = renderWords(runs, rendering);
    return new Paragraph({ ...words, ...alignWords(align, words.bidirectional), spacing: { after: 0 } });
  });
  // Word refuses a cell without a paragraph.
  return paragraphs.length > 0 ? paragraphs : [new Paragraph({ spacing: { after: 0 } })];
}

/**
 * In a paragraph from right to left, Word's left is where lines begin.
 * @param {import('./markdown.mjs').Align | null} align
 * @param {boolean | undefined} rightToLeft
 */
function alignWords(align, rightToLeft) {
  if (align === null) return {};
  const mirrored = { left: AlignmentType.RIGHT, right: AlignmentType.LEFT, center: AlignmentType.CENTER };
  return { alignment: rightToLeft ? mirrored[align] : align };
}

/**
 * @param {Block & { kind: 'image' }} block
 * @param {Place | undefined} place
 * @param {Rendering} rendering
 */
function renderImage({ source, alt }, place, rendering) {
  const { pictures, width, inNote, warnings } = rendering;
  const frame = place ? buildFrame(place) : {};
  const picture = inNote ? undefined : pictures.get(source);
  if (inNote) warnings.add(`Omitted ${source.slice(0, MAX_NAMED_CHARS)}: Word has no pictures in footnotes.`);
  if (!picture)
    return new Paragraph({
      ...frame,
      children: [new TextRun({ text: alt || 'Picture', italics: true, color: '6B7280' })],
    });
  const room = width - Math.round((place?.indent ?? 0) / TWIPS_PER_PIXEL);
  const scale = Math.min(1, room / picture.width);
  const transformation = {
    width: Math.round(picture.width * scale),
    height: Math.round(picture.height * scale),
  };
  rendering.ids.pictures += 1;
  // The library would give all pictures the same id.
  const id = String(rendering.ids.pictures);
  const altText = { id, name: alt || 'Picture', title: alt, description: alt };
  return new Paragraph({
    ...frame,
    children: [new ImageRun({ type: picture.type, data: picture.data, transformation, altText })],
  });
}

/**
 * Renders runs, with the direction of their paragraph.
 * @param {Run[]} runs
 * @param {Rendering} rendering
 */
function renderWords(runs, rendering) {
  const rightToLeft = isRightToLeft(runs.map(({ text }) => text).join(''));
  return {
    ...(rightToLeft && { bidirectional: true }),
    children: runs.flatMap((run) => renderRun(run, rightToLeft, rendering)),
  };
}

/**
 * @param {Run} run
 * @param {boolean} inRightToLeft
 * @param {Rendering} rendering
 * @returns {(TextRun | ExternalHyperlink | FootnoteReferenceRun)[]}
 */
function renderRun(run, inRightToLeft, { inNote, referred }) {
  const { text, note, link } = run;
  if (note !== undefined && !inNote && !referred.has(note)) {
    referred.add(note);
    return [new FootnoteReferenceRun(note)];
  }
  if (text === '\n') return [new TextRun({ break: 1 })];
  const style = buildRunStyle(run);
  const children = splitByDirection(text, inRightToLeft).map(
    (part) => new TextRun({ ...style, text: part.text, ...(part.rightToLeft && { rightToLeft: true }) }),
  );
  return link ? [new ExternalHyperlink({ link, children })] : children;
}

/** @param {Run} run @returns {import('docx').IRunOptions} */
function buildRunStyle({ bold, italic, strike, code, sup, sub, link }) {
  return {
    ...(bold && { bold }),
    ...(italic && { italics: italic }),
    ...(strike && { strike }),
    ...(sup && { superScript: sup }),
    ...(sub && { subScript: sub }),
    ...(code && {
      shading: { type: ShadingType.CLEAR, fill: GROUND, color: 'auto' },
      font: CODE_FONT,
    }),
    ...(link !== undefined && { style: 'Hyperlink' }),
  };
}

// Parses Markdown to blocks with text runs, from which both writers (PDF, Word) build documents.
import { Marked } from 'marked';
import footnotes from 'marked-footnote';
import { Refusal } from '../../kit/worker-refusal.mjs';
import {
  decodeEntities,
  readHtmlLines,
  readImageTag,
  removeHidden,
  removeUnprintable,
} from './html-text.mjs';
import { MAX_DEPTH, MAX_PARTS } from './limits.mjs';

/**
 * @typedef {{ text: string, bold?: boolean, italic?: boolean, strike?: boolean, code?: boolean,
 *   sup?: boolean, sub?: boolean, link?: string, note?: number, image?: string }} Run
 *   a text of "\n" is a line break; one with a note is the number of a footnote
 */
/** @typedef {'left' | 'center' | 'right'} Align */

/**
 * @typedef {{ kind: 'heading', level: number, runs: Run[] } | { kind: 'paragraph', runs: Run[] } |
 *   { kind: 'code', text: string } | { kind: 'quote', blocks: Block[] } | { kind: 'list', ordered:
 *   boolean, start: number, items: { checked?: boolean, blocks: Block[] }[] } | Table | { kind:
 *   'image', source: string, alt: string } | { kind: 'rule' }} Block
 */
/**
 * @typedef {{ kind: 'table', aligns: (Align | null)[], header: Block[][], rows: Block[][][] }}
 *   Table with cells of paragraphs and pictures
 */
/** @typedef {{ blocks: Block[], notes: Block[][], warnings: string[] }} Text note 1 is notes[0] */

/**
 * @typedef {{ type: string, text?: string, tokens?: Token[], [field: string]: any }} Token of
 *   marked
 */
/** @typedef {Omit<Run, 'text'>} Style */

const SAFE_LINK = /^(https?:\/\/|mailto:|tel:)/i;
const MAX_NAMED_CHARS = 60;

/** Inline HTML that documents can show. @type {Map<string, Style>} */
const TAG_STYLES = new Map(
  Object.entries({
    b: { bold: true },
    strong: { bold: true },
    i: { italic: true },
    em: { italic: true },
    s: { strike: true },
    del: { strike: true },
    strike: { strike: true },
    code: { code: true },
    kbd: { code: true },
    samp: { code: true },
    sup: { sup: true },
    sub: { sub: true },
  }),
);

/**
 * @param {string} markdown GitHub flavour
 * @returns {Text}
 * @throws {Refusal} if it is nested too deeply or has too many parts
 */
export function parseMarkdown(markdown) {
  /** @type {Token[]} */
  let tokens;
  try {
    // The extension has a state, so each text gets its own.
    tokens = new Marked({ gfm: true }, footnotes()).lexer(removeUnprintable(markdown));
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('markdown: the text is nested too deeply.');
    throw error;
  }
  const reader = new BlockReader();
  const found = tokens.find(({ type }) => type === 'footnotes');
  const items = found?.items ?? [];
  const unused = (found?.rawItems ?? []).filter((/** @type {Token} */ item) => !items.includes(item));
  return {
    blocks: reader.blocks(tokens, 0),
    notes: items.map((/** @type {Token} */ item) => reader.blocks(item.content, 1)),
    warnings: unused.map(
      (/** @type {Token} */ { label }) =>
        `The footnote [^${String(label).slice(0, MAX_NAMED_CHARS)}] was left out: nothing in the text refers to it, or it is defined twice.`,
    ),
  };
}

/** Returns the source of each image once. @param {Text} text @returns {string[]} */
export function listImageSources({ blocks, notes }) {
  const found = new Set();
  const visit = (/** @type {Block[]} */ list) => {
    for (const block of list) {
      if (block.kind === 'image') found.add(block.source);
      else if (block.kind === 'quote') visit(block.blocks);
      else if (block.kind === 'list') for (const item of block.items) visit(item.blocks);
      else if (block.kind === 'table') for (const row of [block.header, ...block.rows]) row.forEach(visit);
    }
  };
  visit(blocks);
  notes.forEach(visit);
  return [...found];
}

/**
 * The words of blocks, to measure them and to find the direction of their script.
 * @param {Block[]} blocks
 * @returns {string}
 */
export function readWords(blocks) {
  return blocks
    .map((block) => {
      if (block.kind === 'paragraph' || block.kind === 'heading')
        return block.runs.map(({ text }) => text).join('');
      return block.kind === 'image' ? block.alt : '';
    })
    .join('\n');
}

class BlockReader {
  #parts = 0;

  /** @param {Token[]} tokens @param {number} depth @returns {Block[]} */
  blocks(tokens, depth) {
    if (depth > MAX_DEPTH)
      throw new Refusal(`markdown: the text is nested more than ${MAX_DEPTH} levels deep.`);
    return tokens.flatMap((token) => this.#block(token, depth));
  }

  /** @param {Token} token @param {number} depth @returns {Block[]} */
  #block(token, depth) {
    this.#count();
    switch (token.type) {
      case 'heading':
        return splitAtImages(this.#runs(token.tokens), (runs) => ({
          kind: 'heading',
          level: token.depth,
          runs,
        }));
      case 'paragraph':
      case 'text':
        return this.#paragraph(token.tokens ?? [token]);
      case 'code':
        return [{ kind: 'code', text: token.text ?? '' }];
      case 'blockquote':
        return [{ kind: 'quote', blocks: this.blocks(token.tokens ?? [], depth + 1) }];
      case 'list':
        return [this.#list(token, depth)];
      case 'table':
        return [this.#table(token)];
      case 'hr':
        return [{ kind: 'rule' }];
      case 'html':
        return splitAtImages(readHtmlBlock(token.text ?? ''));
      default:
        return [];
    }
  }

  /** @param {Token[] | undefined} tokens */
  #paragraph(tokens) {
    return splitAtImages(this.#runs(tokens));
  }

  /** @param {Token} token @param {number} depth @returns {Block} */
  #list(token, depth) {
    const items = token.items.map((/** @type {Token} */ item) => ({
      ...(item.task ? { checked: Boolean(item.checked) } : {}),
      blocks: this.blocks(item.tokens ?? [], depth + 1),
    }));
    const start = token.start === '' ? 1 : Number(token.start);
    return { kind: 'list', ordered: Boolean(token.ordered), start, items };
  }

  /** @param {Token} token @returns {Block} */
  #table(token) {
    const cells = (/** @type {Token[]} */ row) => row.map((cell) => this.#paragraph(cell.tokens));
    return {
      kind: 'table',
      aligns: token.align,
      header: cells(token.header),
      rows: token.rows.map(cells),
    };
  }

  /**
   * @param {Token[] | undefined} tokens
   * @param {Style} [style]
   * @param {number} [depth]
   * @returns {Run[]}
   */
  #runs(tokens, style = {}, depth = 0) {
    if (depth > MAX_DEPTH)
      throw new Refusal(`markdown: the text is nested more than ${MAX_DEPTH} levels deep.`);
    /** @type {{ tag: string, outside: Style }[]} */
    const open = [];
    let current = style;
    const runs = [];
    for (const token of tokens ?? []) {
      if (token.type !== 'html') {
        runs.push(...this.#run(token, current, depth));
        continue;
      }
      this.#count();
      const [, closing, name = ''] = /^<(\/?)([a-z][a-z0-9]*)/i.exec(token.text ?? '') ?? [];
      const tag = name.toLowerCase();
      const inside = TAG_STYLES.get(tag);
      if (tag === 'br') runs.push({ text: '\n' });
      else if (tag === 'img') runs.push(...readImage(token.text ?? '', current));
      else if (closing && open.at(-1)?.tag === tag) current = open.pop()?.outside ?? style;
      else if (!closing && inside) {
        open.push({ tag, outside: current });
        current = { ...current, ...inside };
      }
    }
    return runs;
  }

  /** @param {Token} token @param {Style} style @param {number} depth @returns {Run[]} */
  #run(token, style, depth) {
    this.#count();
    const inside = (/** @type {Style} */ more) => this.#runs(token.tokens, { ...style, ...more }, depth + 1);
    switch (token.type) {
      case 'strong':
        return inside({ bold: true });
      case 'em':
        return inside({ italic: true });
      case 'del':
        return inside({ strike: true });
      case 'link':
        return inside(SAFE_LINK.test(token.href) ? { link: decodeEntities(String(token.href)) } : {});
      case 'codespan':
        return [{ ...style, code: true, text: token.text ?? '' }];
      case 'br':
        return [{ text: '\n' }];
      case 'image':
        return [{ ...style, text: this.#alt(token, depth), image: decodeEntities(String(token.href)) }];
      case 'footnoteRef':
        return [{ text: String(token.id), sup: true, note: Number(token.id) }];
      case 'checkbox':
        return [];
      case 'escape':
        return [{ ...style, text: decodeEntities(token.text ?? '') }];
      default: {
        if (token.tokens) return inside({});
        // A single line break within a paragraph is a space.
        const text = decodeEntities(token.text ?? '').replace(/\s*\n\s*/g, ' ');
        return text === '' ? [] : [{ ...style, text }];
      }
    }
  }

  /** The words of a picture's description. @param {Token} token @param {number} depth */
  #alt(token, depth) {
    const runs = this.#runs(token.tokens, {}, depth + 1);
    return runs.length > 0 ? runs.map(({ text }) => text).join('') : decodeEntities(token.text ?? '');
  }

  #count() {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS)
      throw new Refusal(
        'markdown: the text has too many paragraphs, formatted words or table cells. Split it into several documents.',
      );
  }
}

/**
 * Splits text at its pictures, which are separate blocks.
 * @param {Run[]} runs
 * @param {(runs: Run[]) => Block} [toBlock]
 * @returns {Block[]}
 */
function splitAtImages(runs, toBlock = (words) => ({ kind: 'paragraph', runs: words })) {
  /** @type {Block[]} */
  const blocks = [];
  /** @type {Run[]} */
  let words = [];
  const close = () => {
    if (words.some(({ text }) => text.trim() !== '')) blocks.push(toBlock(words));
    words = [];
  };
  for (const run of runs) {
    if (run.image === undefined) words.push(run);
    else {
      close();
      blocks.push({ kind: 'image', source: run.image, alt: run.text });
    }
  }
  close();
  return blocks;
}

/** @param {string} html @returns {Run[]} */
function readHtmlBlock(html) {
  return removeHidden(html)
    .split(/(<img\b[^<>]*>)/gi)
    .flatMap((piece) => {
      if (/^<img\b/i.test(piece)) return readImage(piece, {});
      return readHtmlLines(piece).flatMap((text, at) => (at === 0 ? [{ text }] : [{ text: '\n' }, { text }]));
    });
}

/** @param {string} tag @param {Style} style @returns {Run[]} */
function readImage(tag, style) {
  const image = readImageTag(tag);
  return image ? [{ ...style, text: image.alt, image: image.source }] : [];
}

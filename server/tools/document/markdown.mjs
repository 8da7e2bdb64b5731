// Parses Markdown to blocks with text runs, from which both writers (PDF, Word) build documents.
import { lexer } from 'marked';
import { Refusal } from '../../kit/worker-refusal.mjs';
import { decodeEntities, stripTags } from './html-text.mjs';
import { MAX_DEPTH, MAX_PARTS } from './limits.mjs';

/**
 * @typedef {{ text: string, bold?: boolean, italic?: boolean, strike?: boolean, code?: boolean,
 *   link?: string }} Run a text of "\n" is a line break
 */
/** @typedef {'left' | 'center' | 'right'} Align */

/**
 * @typedef {{ kind: 'heading', level: number, runs: Run[] } | { kind: 'paragraph', runs: Run[] } |
 *   { kind: 'code', text: string } | { kind: 'quote', blocks: Block[] } | { kind: 'list', ordered:
 *   boolean, start: number, items: { checked?: boolean, blocks: Block[] }[] } | { kind: 'table',
 *   aligns: Align[], header: Run[][], rows: Run[][][] } | { kind: 'image', source: string, alt:
 *   string } | { kind: 'rule' }} Block
 */

/**
 * @typedef {{ type: string, text?: string, tokens?: Token[], [field: string]: any }} Token of
 *   marked
 */
/** @typedef {Omit<Run, 'text'>} Style */

const SAFE_LINK = /^(https?:\/\/|mailto:|tel:)/i;

/**
 * @param {string} markdown GitHub flavour
 * @returns {Block[]}
 * @throws {Refusal} if it is nested too deeply or has too many parts
 */
export function parseMarkdown(markdown) {
  /** @type {Token[]} */
  let tokens;
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: neither PDF nor XML can hold them
    tokens = lexer(markdown.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ''), {
      gfm: true,
    });
  } catch (error) {
    if (error instanceof RangeError) throw new Refusal('markdown: the text is nested too deeply.');
    throw error;
  }
  return new BlockReader().blocks(tokens, 0);
}

/** Returns the source of each image once. @param {Block[]} blocks @returns {string[]} */
export function listImageSources(blocks) {
  const found = new Set();
  const visit = (/** @type {Block[]} */ list) => {
    for (const block of list) {
      if (block.kind === 'image') found.add(block.source);
      else if (block.kind === 'quote') visit(block.blocks);
      else if (block.kind === 'list') for (const item of block.items) visit(item.blocks);
    }
  };
  visit(blocks);
  return [...found];
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
        return [{ kind: 'heading', level: token.depth, runs: this.#runs(token.tokens) }];
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
      case 'html': {
        const text = stripTags(token.text ?? '').trim();
        return text === '' ? [] : [{ kind: 'paragraph', runs: [{ text }] }];
      }
      default:
        return [];
    }
  }

  /**
   * Splits a paragraph at its pictures, which are separate blocks.
   * @param {Token[]} tokens
   * @returns {Block[]}
   */
  #paragraph(tokens) {
    /** @type {Block[]} */
    const blocks = [];
    /** @type {Token[]} */
    let words = [];
    const close = () => {
      const runs = this.#runs(words);
      if (runs.some(({ text }) => text.trim() !== '')) blocks.push({ kind: 'paragraph', runs });
      words = [];
    };
    for (const token of tokens) {
      const image = token.type === 'link' && token.tokens?.length === 1 ? token.tokens[0] : token;
      if (image?.type === 'image') {
        close();
        blocks.push({ kind: 'image', source: String(image.href), alt: decodeEntities(image.text ?? '') });
      } else if (token.type !== 'checkbox') words.push(token);
    }
    close();
    return blocks;
  }

  /** @param {Token} token @param {number} depth @returns {Block} */
  #list(token, depth) {
    const items = token.items.map((/** @type {Token} */ item) => ({
      ...(item.task ? { checked: Boolean(item.checked) } : {}),
      blocks: this.blocks(
        (item.tokens ?? []).filter(({ type }) => type !== 'checkbox'),
        depth + 1,
      ),
    }));
    return { kind: 'list', ordered: Boolean(token.ordered), start: Number(token.start) || 1, items };
  }

  /** @param {Token} token @returns {Block} */
  #table(token) {
    const cells = (/** @type {Token[]} */ row) => row.map((cell) => this.#runs(cell.tokens));
    return {
      kind: 'table',
      aligns: token.align.map((/** @type {Align | null} */ align) => align ?? 'left'),
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
    return (tokens ?? []).flatMap((token) => this.#run(token, style, depth));
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
        return inside(SAFE_LINK.test(token.href) ? { link: String(token.href) } : {});
      case 'codespan':
        return [{ ...style, code: true, text: token.text ?? '' }];
      case 'br':
        return [{ text: '\n' }];
      case 'image':
        return token.text ? [{ ...style, italic: true, text: decodeEntities(token.text) }] : [];
      case 'html':
        return /^<br\s*\/?>/i.test(token.text ?? '') ? [{ text: '\n' }] : [];
      default: {
        if (token.tokens) return inside({});
        // A single line break within a paragraph is a space.
        const text = decodeEntities(token.text ?? '').replace(/\s*\n\s*/g, ' ');
        return text === '' ? [] : [{ ...style, text }];
      }
    }
  }

  #count() {
    this.#parts += 1;
    if (this.#parts > MAX_PARTS)
      throw new Refusal(
        'markdown: the text has too many paragraphs, formatted words or table cells. Split it into several documents.',
      );
  }
}

import { marked, type Token, type Tokens } from 'marked';
import { guideHref } from './guide-href';
import { HeadingIds } from './heading-ids';
import type { Block, GuideSample, Inline } from './schema';

/** State shared by the blocks of one document. */
interface DocumentContext {
  ids: HeadingIds;
  /** URLs under it belong to this gateway. */
  baseUrl: string;
}

/** Tab labels; other languages have none. */
const LABELS: Record<string, string> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
};

/**
 * Parses Markdown into blocks that pages render with their own components. Raw HTML is dropped, so
 * that no guide can inject markup.
 */
export function parseMarkdown(text: string, baseUrl: string): Block[] {
  return toBlocks(marked.lexer(text, { gfm: true }), { ids: new HeadingIds(), baseUrl });
}

/** The plain text of inline content. */
export function plainText(children: readonly Inline[]): string {
  return children
    .map((child) => ('text' in child ? child.text : child.kind === 'break' ? ' ' : plainText(child.children)))
    .join('');
}

function toBlocks(tokens: readonly Token[], place: DocumentContext): Block[] {
  const blocks: Block[] = [];
  for (const token of tokens) {
    const block = toBlock(token, place);
    if (block === null) continue;
    const last = blocks.at(-1);
    if (block.kind === 'code' && last?.kind === 'code' && areAlternatives(last.samples, block.samples))
      last.samples.push(...block.samples);
    else blocks.push(block);
  }
  return blocks;
}

/** Whether a code block repeats the block above in another language. */
function areAlternatives(above: readonly GuideSample[], below: readonly GuideSample[]): boolean {
  return below.every(
    ({ language }) =>
      language in LABELS &&
      above.every((sample) => sample.language in LABELS && sample.language !== language),
  );
}

function toBlock(token: Token, place: DocumentContext): Block | null {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      const children = toInlines(tokens, place);
      const text = plainText(children);
      const isCode = children.length === 1 && children[0]?.kind === 'code';
      return { kind: 'heading', level: depth, id: place.ids.next(text, isCode), text, children };
    }
    case 'paragraph':
    case 'text': {
      const { tokens, text } = token as Tokens.Paragraph;
      return { kind: 'paragraph', children: tokens ? toInlines(tokens, place) : [{ kind: 'text', text }] };
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      return { kind: 'list', ordered, items: items.map((item) => toBlocks(item.tokens, place)) };
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return {
        kind: 'table',
        head: header.map((cell) => toInlines(cell.tokens, place)),
        rows: rows.map((row) => row.map((cell) => toInlines(cell.tokens, place))),
      };
    }
    case 'code': {
      const { text, lang } = token as Tokens.Code;
      const { language, info } = readInfo(lang);
      return { kind: 'code', samples: [{ language, label: getLabel(language, info), code: text }] };
    }
    case 'blockquote':
      return { kind: 'quote', blocks: toBlocks((token as Tokens.Blockquote).tokens, place) };
    case 'hr':
      return { kind: 'rule' };
    default:
      return null;
  }
}

/** Splits the info string of a fence into its language and the options of the example runner. */
export function readInfo(lang: string | undefined): { language: string; info: string } {
  const [, language = '', info = ''] = /^(\S*)\s*(.*)$/.exec(lang?.trim() ?? '') ?? [];
  return { language: language === '' ? 'text' : language, info };
}

function getLabel(language: string, info: string): string {
  if (/\banswer\b/.test(info)) return 'Response';
  return LABELS[language] ?? 'Text';
}

function toInlines(tokens: readonly Token[], place: DocumentContext): Inline[] {
  return tokens.flatMap((token) => toInline(token, place));
}

function toInline(token: Token, place: DocumentContext): Inline[] {
  switch (token.type) {
    case 'text':
    case 'escape': {
      const { tokens, text } = token as Tokens.Text;
      return tokens ? toInlines(tokens, place) : [{ kind: 'text', text: unescapeEntities(text) }];
    }
    case 'codespan':
      return [{ kind: 'code', text: (token as Tokens.Codespan).text }];
    case 'strong':
    case 'em':
      return [{ kind: token.type, children: toInlines((token as Tokens.Strong).tokens, place) }];
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      const to = guideHref(href, place.baseUrl);
      const children = toInlines(tokens, place);
      return to === null ? children : [{ kind: 'link', href: to, children }];
    }
    case 'br':
      return [{ kind: 'break' }];
    default:
      return [];
  }
}

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
};

function unescapeEntities(text: string): string {
  return text.replace(/&(?:lt|gt|amp|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}

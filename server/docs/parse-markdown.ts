import { marked, type Token, type Tokens } from 'marked';
import { guideHref } from './guide-href';
import { HeadingIds } from './heading-ids';
import type { Block, GuideSample, Inline } from './schema';

/** What the parts of one document share. */
interface Place {
  ids: HeadingIds;
  /** Addresses under it are this gateway's own. */
  baseUrl: string;
}

/** What a tab of a block says; other languages have no name worth showing. */
const LABELS: Record<string, string> = {
  sh: 'curl',
  ts: 'TypeScript',
  python: 'Python',
};

/**
 * Markdown as blocks that pages render with components of their own. Raw HTML is no part of it: what looks like it is
 * left out, so that nothing in a guide can become markup.
 */
export function parseMarkdown(text: string, baseUrl: string): Block[] {
  return blocksOf(marked.lexer(text, { gfm: true }), { ids: new HeadingIds(), baseUrl });
}

/** The text of a run without its marks. */
export function plainText(children: readonly Inline[]): string {
  return children
    .map((child) => ('text' in child ? child.text : child.kind === 'break' ? ' ' : plainText(child.children)))
    .join('');
}

function blocksOf(tokens: readonly Token[], place: Place): Block[] {
  const blocks: Block[] = [];
  for (const token of tokens) {
    const block = blockOf(token, place);
    if (block === null) continue;
    const last = blocks.at(-1);
    if (block.kind === 'code' && last?.kind === 'code' && areAlternatives(last.samples, block.samples))
      last.samples.push(...block.samples);
    else blocks.push(block);
  }
  return blocks;
}

/** The same thing in another language stands right below it. */
function areAlternatives(above: readonly GuideSample[], below: readonly GuideSample[]): boolean {
  return below.every(
    ({ language }) =>
      language in LABELS &&
      above.every((sample) => sample.language in LABELS && sample.language !== language),
  );
}

function blockOf(token: Token, place: Place): Block | null {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading;
      const children = inlinesOf(tokens, place);
      const text = plainText(children);
      const isCode = children.length === 1 && children[0]?.kind === 'code';
      return { kind: 'heading', level: depth, id: place.ids.next(text, isCode), text, children };
    }
    case 'paragraph':
    case 'text': {
      const { tokens, text } = token as Tokens.Paragraph;
      return { kind: 'paragraph', children: tokens ? inlinesOf(tokens, place) : [{ kind: 'text', text }] };
    }
    case 'list': {
      const { ordered, items } = token as Tokens.List;
      return { kind: 'list', ordered, items: items.map((item) => blocksOf(item.tokens, place)) };
    }
    case 'table': {
      const { header, rows } = token as Tokens.Table;
      return {
        kind: 'table',
        head: header.map((cell) => inlinesOf(cell.tokens, place)),
        rows: rows.map((row) => row.map((cell) => inlinesOf(cell.tokens, place))),
      };
    }
    case 'code': {
      const { text, lang } = token as Tokens.Code;
      const { language, info } = readInfo(lang);
      return { kind: 'code', samples: [{ language, label: labelOf(language, info), code: text }] };
    }
    case 'blockquote':
      return { kind: 'quote', blocks: blocksOf((token as Tokens.Blockquote).tokens, place) };
    case 'hr':
      return { kind: 'rule' };
    default:
      return null;
  }
}

/** The info string of a fence: its language, and what the runner of the examples is told. */
export function readInfo(lang: string | undefined): { language: string; info: string } {
  const [, language = '', info = ''] = /^(\S*)\s*(.*)$/.exec(lang?.trim() ?? '') ?? [];
  return { language: language === '' ? 'text' : language, info };
}

function labelOf(language: string, info: string): string {
  if (/\banswer\b/.test(info)) return 'Answer';
  return LABELS[language] ?? 'Text';
}

function inlinesOf(tokens: readonly Token[], place: Place): Inline[] {
  return tokens.flatMap((token) => inlineOf(token, place));
}

function inlineOf(token: Token, place: Place): Inline[] {
  switch (token.type) {
    case 'text':
    case 'escape': {
      const { tokens, text } = token as Tokens.Text;
      return tokens ? inlinesOf(tokens, place) : [{ kind: 'text', text: unescapeEntities(text) }];
    }
    case 'codespan':
      return [{ kind: 'code', text: (token as Tokens.Codespan).text }];
    case 'strong':
    case 'em':
      return [{ kind: token.type, children: inlinesOf((token as Tokens.Strong).tokens, place) }];
    case 'link': {
      const { href, tokens } = token as Tokens.Link;
      const to = guideHref(href, place.baseUrl);
      const children = inlinesOf(tokens, place);
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

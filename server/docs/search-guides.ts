import MiniSearch from 'minisearch';
import type { Runtime } from '../core/runtime';
import { describeApi } from './api-reference';
import { parseMarkdown, plainText } from './parse-markdown';
import { readGuides } from './read-guides';
import type { Block, GuideHit } from './schema';

const MOST_HITS = 8;
const EXCERPT_CHARS = 140;

interface Section extends GuideHit {
  id: number;
  text: string;
}

let kept: { baseUrl: string; index: Promise<MiniSearch<Section>> } | undefined;

/** Searches the documentation, best hits first: chapters of guides, error codes, routes. */
export async function searchGuides(runtime: Runtime, q: string): Promise<{ hits: GuideHit[] }> {
  const { baseUrl } = runtime.settings;
  if (kept?.baseUrl !== baseUrl) kept = { baseUrl, index: buildIndex(baseUrl) };
  const index = await kept.index;
  const found = index.search(q, {
    prefix: true,
    fuzzy: 0.15,
    boost: { title: 4, page: 2 },
    combineWith: 'AND',
  });
  const hits = found.slice(0, MOST_HITS).map(({ href, page, title, text }) => ({
    href: String(href),
    page: String(page),
    title: String(title),
    excerpt: excerptOf(String(text), q),
  }));
  return { hits };
}

async function buildIndex(baseUrl: string): Promise<MiniSearch<Section>> {
  const index = new MiniSearch<Section>({
    fields: ['title', 'page', 'text'],
    storeFields: ['href', 'page', 'title', 'text'],
  });
  const guides = await readGuides(baseUrl);
  const chapters = guides.flatMap(({ name, title, markdown }) =>
    chaptersOf(parseMarkdown(markdown, baseUrl), `/docs/${name}`, title),
  );
  const { groups } = await describeApi(baseUrl);
  const routes = groups.flatMap(({ operations }) =>
    operations.map(({ id, method, path, summary, description }) => ({
      href: `/docs/api#${id}`,
      page: 'API reference',
      title: summary,
      text: `${method} ${path} ${id}. ${description}`,
    })),
  );
  index.addAll([...chapters, ...routes].map((section, id) => ({ ...section, id, excerpt: '' })));
  return index;
}

/** The text under each heading. */
function chaptersOf(blocks: readonly Block[], href: string, page: string) {
  const chapters = [{ href, page, title: page, text: '' }];
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level > 1)
      chapters.push({ href: `${href}#${block.id}`, page, title: block.text, text: '' });
    const last = chapters.at(-1);
    if (last && block.kind !== 'heading') last.text += ` ${textOf(block)}`;
  }
  return chapters;
}

function textOf(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return plainText(block.children);
    case 'list':
      return block.items.map((item) => item.map(textOf).join(' ')).join(' ');
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(plainText).join(' ')).join(' ');
    case 'quote':
      return block.blocks.map(textOf).join(' ');
    case 'code':
      return block.samples.some(({ language }) => language === 'sh')
        ? block.samples.map(({ code }) => code).join(' ')
        : '';
    case 'rule':
      return '';
  }
}

/** Cuts the excerpt around the first search word. */
function excerptOf(text: string, q: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  const at = plain.toLowerCase().indexOf(q.toLowerCase().split(/\s+/, 1)[0] ?? '');
  const from = Math.max(0, at - EXCERPT_CHARS / 3);
  const cut = plain.slice(from, from + EXCERPT_CHARS);
  return `${from > 0 ? '…' : ''}${cut}${from + EXCERPT_CHARS < plain.length ? '…' : ''}`;
}

import MiniSearch from 'minisearch';
import { describeApi } from './api-reference';
import type { GuideSource } from './get-guide';
import { parseMarkdown, plainText } from './parse-markdown';
import { readGuides } from './read-guides';
import type { Block, GuideHit } from './schema';

const MAX_HITS = 8;
const EXCERPT_CHARS = 140;

interface Section extends GuideHit {
  id: number;
  text: string;
}

let cached: { baseUrl: string; index: Promise<MiniSearch<Section>> } | undefined;

/** Searches the documentation, best hits first: chapters of guides, error codes, routes. */
export async function searchGuides(runtime: GuideSource, q: string): Promise<{ hits: GuideHit[] }> {
  const { baseUrl } = runtime.settings;
  if (cached?.baseUrl !== baseUrl) cached = { baseUrl, index: buildIndex(baseUrl) };
  const index = await cached.index;
  const found = index.search(q, {
    prefix: true,
    fuzzy: 0.15,
    boost: { title: 4, page: 2 },
    combineWith: 'AND',
  });
  const hits = found.slice(0, MAX_HITS).map(({ href, page, title, text }) => ({
    href: String(href),
    page: String(page),
    title: String(title),
    excerpt: buildExcerpt(String(text), q),
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
    listChapters(parseMarkdown(markdown, baseUrl), `/docs/${name}`, title),
  );
  const { groups } = await describeApi(baseUrl);
  const routes = groups.flatMap(({ operations }) =>
    operations.map(({ id, href, method, path, summary, description }) => ({
      href,
      page: 'API reference',
      title: summary,
      text: `${method} ${path} ${id}. ${description}`,
    })),
  );
  index.addAll([...chapters, ...routes].map((section, id) => ({ ...section, id, excerpt: '' })));
  return index;
}

/** The text under each heading. */
function listChapters(blocks: readonly Block[], href: string, page: string) {
  const chapters = [{ href, page, title: page, text: '' }];
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level > 1)
      chapters.push({ href: `${href}#${block.id}`, page, title: block.text, text: '' });
    const last = chapters.at(-1);
    if (last && block.kind !== 'heading') last.text += ` ${toPlainText(block)}`;
  }
  return chapters;
}

function toPlainText(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
    case 'heading':
      return plainText(block.children);
    case 'list':
      return block.items.map((item) => item.map(toPlainText).join(' ')).join(' ');
    case 'table':
      return [block.head, ...block.rows].map((row) => row.map(plainText).join(' ')).join(' ');
    case 'quote':
      return block.blocks.map(toPlainText).join(' ');
    case 'code':
      return block.samples.some(({ language }) => language === 'sh')
        ? block.samples.map(({ code }) => code).join(' ')
        : '';
    case 'rule':
      return '';
  }
}

/** Cuts the excerpt around the first search word. */
function buildExcerpt(text: string, q: string): string {
  const plain = text.replace(/\s+/g, ' ').trim();
  const at = plain.toLowerCase().indexOf(q.toLowerCase().split(/\s+/, 1)[0] ?? '');
  const from = Math.max(0, at - EXCERPT_CHARS / 3);
  const cut = plain.slice(from, from + EXCERPT_CHARS);
  return `${from > 0 ? '…' : ''}${cut}${from + EXCERPT_CHARS < plain.length ? '…' : ''}`;
}

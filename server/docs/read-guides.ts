import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deprecationsMarkdown } from './deprecations-markdown';
import { errorsMarkdown } from './errors-markdown';
import { guideHref, SOURCE_ORIGIN } from './guide-href';
import { GUIDE_LIST, type GuideEntry } from './guide-list';

/** The source of a guide, adapted to this gateway. */
export interface GuideText {
  name: string;
  group: string;
  title: string;
  /** The first paragraph. */
  summary: string;
  /** Includes the title; placeholders and origins are already replaced. */
  markdown: string;
}

/** Content for the `<!-- generated:name -->` placeholders. */
const GENERATED: Record<string, () => string> = {
  errors: errorsMarkdown,
  deprecations: () => deprecationsMarkdown(),
};

let cached: { baseUrl: string; guides: Promise<GuideText[]> } | undefined;

/**
 * Reads all guides, in order. They change only with a release, so they are cached, except in
 * development.
 */
export function readGuides(baseUrl: string): Promise<GuideText[]> {
  if (cached?.baseUrl === baseUrl && process.env.NODE_ENV !== 'development') return cached.guides;
  const guides = Promise.all(GUIDE_LIST.map((entry) => readGuide(entry, baseUrl)));
  cached = { baseUrl, guides };
  // Do not cache a failed read.
  guides.catch(() => {
    cached = undefined;
  });
  return guides;
}

/** Reads a document, with the origin of this gateway instead of the local one. */
export async function readDocument(file: string, baseUrl: string): Promise<string> {
  const text = await readFile(join(/* turbopackIgnore: true */ process.cwd(), file), 'utf8');
  return text
    .replace(/^<!-- generated:([a-z]+) -->$/gm, (whole, name: string) => GENERATED[name]?.() ?? whole)
    .replaceAll(SOURCE_ORIGIN, baseUrl)
    .replaceAll(new URL(SOURCE_ORIGIN).host, new URL(baseUrl).host);
}

async function readGuide({ name, group, file }: GuideEntry, baseUrl: string): Promise<GuideText> {
  const markdown = await readDocument(file, baseUrl);
  const [, title = name, summary = ''] = /^# (.+)\n+([^\n]+(?:\n[^\n]+)*)/.exec(markdown) ?? [];
  return { name, group, title, summary: plainSummary(summary), markdown };
}

/** The first paragraph as one line without markup. */
function plainSummary(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * Converts a guide to a standalone text for agents: links are absolute, links to guides lead to
 * their Markdown, and options of the example runner are removed.
 */
export function publishMarkdown(markdown: string, baseUrl: string): string {
  return markdown
    .replace(/^(```[a-z]*)[^\n]*$/gm, '$1')
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, text: string, href: string) => {
      const to = guideHref(href, baseUrl);
      if (to === null) return text;
      const [, page, anchor = ''] = /^\/docs\/([a-z-]+)(#.*)?$/.exec(to) ?? [];
      if (page !== undefined && page !== 'api') return `[${text}](${baseUrl}/docs/${page}.md${anchor})`;
      return `[${text}](${to.startsWith('/') ? baseUrl + to : to})`;
    });
}

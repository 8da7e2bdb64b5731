import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deprecationsMarkdown } from './deprecations-markdown';
import { errorsMarkdown } from './errors-markdown';
import { guideHref, SOURCE_ORIGIN } from './guide-href';
import { GUIDE_LIST, type GuideEntry } from './guide-list';

/** A guide as it was written, for the gateway that serves it. */
export interface GuideText {
  name: string;
  group: string;
  title: string;
  /** The first paragraph. */
  summary: string;
  /** With the title, the gateway's own addresses, and what is generated in its place. */
  markdown: string;
}

/** What stands in a guide where something generated belongs. */
const GENERATED: Record<string, () => string> = {
  errors: errorsMarkdown,
  deprecations: () => deprecationsMarkdown(),
};

let kept: { baseUrl: string; guides: Promise<GuideText[]> } | undefined;

/**
 * All guides, in order. They are files of the project and change only with a new version, so they are read once; in
 * development each time.
 */
export function readGuides(baseUrl: string): Promise<GuideText[]> {
  if (kept?.baseUrl === baseUrl && process.env.NODE_ENV !== 'development') return kept.guides;
  const guides = Promise.all(GUIDE_LIST.map((entry) => readGuide(entry, baseUrl)));
  kept = { baseUrl, guides };
  // A file that could not be read may be there the next time.
  guides.catch(() => {
    kept = undefined;
  });
  return guides;
}

/** A text of the folder docs with the gateway's own addresses in place of those of a local start. */
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

/** The first paragraph as one line without marks. */
function plainSummary(text: string): string {
  return text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/**
 * A guide as a text of its own, for agents: links are whole addresses, those to other guides lead to their Markdown, and
 * what the runner of the examples is told is left out.
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

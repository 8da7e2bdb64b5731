import { parseMarkdown } from './parse-markdown';
import { type GuideText, readGuides } from './read-guides';
import type { Block, Guide, GuideLink } from './schema';

/** What guides need of the runtime: the origin of this gateway. */
export interface GuideSource {
  settings: { baseUrl: string };
}

/** Lists every guide with its title and summary, in order. */
export async function listGuides(runtime: GuideSource): Promise<GuideLink[]> {
  return (await readGuides(runtime.settings.baseUrl)).map(toGuideLink);
}

/** A guide as its page shows it; null if none has this name. */
export async function findGuide(runtime: GuideSource, name: string): Promise<Guide | null> {
  const guides = await readGuides(runtime.settings.baseUrl);
  const at = guides.findIndex((guide) => guide.name === name);
  const guide = guides[at];
  if (!guide) return null;
  const [previous, next] = [guides[at - 1], guides[at + 1]];
  const blocks = parseMarkdown(guide.markdown, runtime.settings.baseUrl).filter((block) => !isTitle(block));
  return {
    ...toGuideLink(guide),
    blocks,
    headings: blocks.flatMap((block) =>
      block.kind === 'heading' && block.level <= 3
        ? [{ id: block.id, text: block.text, level: block.level }]
        : [],
    ),
    previous: previous ? toGuideLink(previous) : null,
    next: next ? toGuideLink(next) : null,
  };
}

function isTitle(block: Block): boolean {
  return block.kind === 'heading' && block.level === 1;
}

function toGuideLink({ name, group, title, summary }: GuideText): GuideLink {
  return { name, group, title, summary, href: `/docs/${name}` };
}

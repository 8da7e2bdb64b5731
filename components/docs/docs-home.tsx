import type { Block, GuideLink } from '@/server/docs/schema';
import { Bot, FileJson, FileText, Plug } from '../ui/icons';
import { IntentLink } from '../ui/intent-link';
import { PageHeader } from '../ui/page-header';
import { Blocks } from './blocks';

interface DocsHomeProps {
  guides: readonly GuideLink[];
  /** The blocks of the quickstart guide; its steps are shown here too. */
  quickstart: readonly Block[];
  baseUrl: string;
}

/** The documentation's home page: a first call, then links to the guides. */
export function DocsHome({ guides, quickstart, baseUrl }: DocsHomeProps) {
  const groups = [...new Set(guides.map(({ group }) => group))];
  return (
    <div className="flex min-w-0 flex-col gap-10">
      <PageHeader
        title="Documentation"
        description="A key, a tool, a result: three requests in any language. Then go to production."
      />
      <section aria-label="A first call in a minute" className="flex min-w-0 flex-col gap-4">
        <Blocks blocks={listSteps(quickstart)} />
      </section>
      {groups.map((group) => (
        <section key={group} aria-labelledby={`group-${group}`} className="flex flex-col gap-4">
          <h2 id={`group-${group}`} className="text-xl">
            {group}
          </h2>
          <ul className="grid gap-3 sm:grid-cols-2">
            {guides
              .filter((guide) => guide.group === group)
              .map((guide) => (
                <li key={guide.name} className="min-w-0">
                  <IntentLink
                    href={guide.href}
                    className="flex h-full flex-col gap-1 rounded-lg border p-4 hover:bg-hover"
                  >
                    <span className="font-medium">{guide.title}</span>
                    <span className="line-clamp-3 text-muted text-sm">{guide.summary}</span>
                  </IntentLink>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <ForPrograms baseUrl={baseUrl} />
    </div>
  );
}

/**
 * The numbered sections of the quickstart, without the closing links and without the guide's
 * example responses except the last.
 */
function listSteps(blocks: readonly Block[]): Block[] {
  const from = blocks.findIndex((block) => block.kind === 'heading');
  const end = blocks.findIndex((block) => block.kind === 'heading' && block.id === 'next');
  return blocks
    .slice(Math.max(from, 0), end < 0 ? undefined : end)
    .filter(
      (block) => block.kind !== 'code' || block.samples[0]?.label !== 'Response' || block === blocks[end - 1],
    );
}

const PROGRAMS = [
  {
    path: '/llms.txt',
    title: 'llms.txt',
    text: 'Everything an agent needs to get started, on one page.',
    icon: Bot,
  },
  {
    path: '/llms-full.txt',
    title: 'llms-full.txt',
    text: 'Every guide and the full catalogue in one file.',
    icon: FileText,
  },
  { path: '/skill.md', title: 'skill.md', text: 'An Agent Skill that describes the workflow.', icon: Plug },
  {
    path: '/openapi.json',
    title: 'openapi.json',
    text: 'OpenAPI 3.1, for client generators.',
    icon: FileJson,
  },
];

function ForPrograms({ baseUrl }: { baseUrl: string }) {
  return (
    <section aria-labelledby="for-programs" className="flex flex-col gap-4">
      <h2 id="for-programs" className="text-xl">
        For agents and programs
      </h2>
      <ul className="grid gap-3 sm:grid-cols-2">
        {PROGRAMS.map(({ path, title, text, icon: Icon }) => (
          <li key={path} className="min-w-0">
            <a href={path} className="flex h-full gap-3 rounded-lg border p-4 hover:bg-hover">
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
              <span className="flex min-w-0 flex-col gap-1">
                <span className="font-medium">{title}</span>
                <span className="text-muted text-sm">{text}</span>
                <code className="truncate font-mono text-muted text-xs">{baseUrl + path}</code>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

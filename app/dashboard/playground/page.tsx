import type { Metadata } from 'next';
import { Suspense } from 'react';
import type { OpenedSkill } from '@/components/playground/opened-skill';
import { Playground } from '@/components/playground/playground';
import { PlaygroundSkeleton } from '@/components/playground/skeleton';
import type { Suggestion } from '@/components/playground/suggestions';
import { readInput } from '@/components/shared/input-link';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import type { Tool } from '@/server/catalog/tools/schema';
import type { Viewer } from '@/server/identity/accounts/schema';

export const metadata: Metadata = { title: 'Playground' };

type Query = Partial<Record<'tool' | 'skill' | 'input', string | string[]>>;

/**
 * Suggestions when no skill is chosen: skills that work on every gateway and have visible output.
 */
const SUGGESTED = [
  'math.evaluate',
  'codes.qr',
  'text.extract',
  'chart.quick_chart',
  'diagnostics.sleep',
  'diagnostics.spend',
];

/** No loading boundary around the page, so that sign-in redirects back to the same input. */
export default async function PlaygroundPage({ searchParams }: { searchParams: Promise<Query> }) {
  const query = await searchParams;
  const [tool, skill, input] = [query.tool, query.skill, query.input].map((value) => [value].flat()[0]);
  const asked = Object.entries({ tool, skill, input }).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  );
  const viewer = await requireViewer(
    `/dashboard/playground?${new URLSearchParams(asked)}`.replace(/\?$/, ''),
  );
  return (
    <Suspense fallback={<PlaygroundSkeleton />}>
      <Content viewer={viewer} tool={tool} skill={skill} input={input} />
    </Suspense>
  );
}

interface ContentProps {
  viewer: Viewer;
  tool: string | undefined;
  skill: string | undefined;
  input: string | undefined;
}

async function Content({ viewer, tool, skill, input }: ContentProps) {
  const api = await createCaller();
  const [balance, found] = await Promise.all([
    api.billing.balance(),
    tool ? api.tools.get({ tool }).catch(() => null) : null,
  ]);
  const opened = found && openSkill(found, skill);
  const suggestions = opened ? [] : suggest((await api.tools.list({})).tools);
  return (
    <Playground
      opened={opened}
      unknown={tool && !opened ? [tool, skill].filter(Boolean).join('.') : null}
      given={opened && readInput(input)}
      accountId={viewer.account_id}
      accounts={balance.accounts}
      suggestions={suggestions}
    />
  );
}

/** The part of the tool that the page needs. Defaults to the tool's first skill. */
function openSkill({ name, displayName, skills }: Tool, wanted?: string): OpenedSkill | null {
  const skill = wanted ? skills.find((known) => known.name === wanted) : skills[0];
  if (!skill) return null;
  const { description, input, examples, pricing, annotations } = skill;
  return {
    tool: { name, displayName },
    skill: {
      name: skill.name,
      displayName: skill.displayName,
      description,
      input,
      examples,
      pricing,
      annotations,
    },
  };
}

function suggest(tools: readonly Tool[]): Suggestion[] {
  return SUGGESTED.flatMap((wanted) => {
    const [toolName, skillName] = wanted.split('.');
    const tool = tools.find(({ name }) => name === toolName);
    const skill = tool?.skills.find(
      ({ name, availability }) => name === skillName && availability === 'ready',
    );
    if (!tool || !skill) return [];
    return [{ tool: tool.name, skill: skill.name, title: skill.displayName, about: skill.description }];
  });
}

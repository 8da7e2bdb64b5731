import type { Metadata } from 'next';
import { Suspense } from 'react';
import type { OpenedSkill } from '@/components/playground/opened-skill';
import { Playground } from '@/components/playground/playground';
import { RerunNotice } from '@/components/playground/rerun-notice';
import { PlaygroundSkeleton } from '@/components/playground/skeleton';
import type { Suggestion } from '@/components/playground/suggestions';
import { readInput } from '@/components/shared/input-link';
import { firstValue, type QueryParams } from '@/components/site/query-params';
import { requireViewer } from '@/server/api/pages/require-viewer';
import { createCaller } from '@/server/api/trpc/caller';
import type { Tool } from '@/server/catalog/tools/schema';
import type { Viewer } from '@/server/identity/accounts/schema';
import { buildPath } from '../build-path';
import { readRerun } from './read-rerun';

export const metadata: Metadata = { title: 'Playground' };

/** Longer ids and slugs are invalid. */
const MAX_ID_CHARS = 64;

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
export default async function PlaygroundPage({ searchParams }: { searchParams: QueryParams }) {
  const query = await searchParams;
  const viewer = await requireViewer(buildPath('/dashboard/playground', query));
  return (
    <Suspense fallback={<PlaygroundSkeleton />}>
      <Content viewer={viewer} query={query} />
    </Suspense>
  );
}

async function Content({ viewer, query }: { viewer: Viewer; query: Awaited<QueryParams> }) {
  const read = (name: string) => firstValue(query[name]) || undefined;
  const [tool, skill, input] = [read('tool'), read('skill'), read('input')];
  const [callId, billing] = [read('call'), read('billing')].map((id) => id?.slice(0, MAX_ID_CHARS));
  const api = await createCaller();
  const [balance, found, again] = await Promise.all([
    api.billing.balance(),
    tool ? api.tools.get({ tool }).catch(() => null) : null,
    callId ? readRerun(api, callId, billing) : null,
  ]);
  const opened = found && openSkill(found, skill);
  const suggestions = opened ? [] : suggest((await api.tools.list({})).tools);
  return (
    <Playground
      opened={opened}
      unknown={tool && !opened ? [tool, skill].filter(Boolean).join('.') : null}
      given={opened && (again?.input ?? readInput(input))}
      notice={again && <RerunNotice rerun={again.rerun} team={billing ?? null} />}
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

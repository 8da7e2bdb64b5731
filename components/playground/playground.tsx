'use client';

import { FlaskConical, Terminal } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { BillingBalance } from '@/server/billing/schema';
import { useUrlQuery } from '../dashboard/use-url-query';
import { Card, CardHeader } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { Skeleton } from '../ui/skeleton';
import { playgroundPath } from './input-link';
import type { JsonObject, Run, WantedCall } from './runs';
import { SkillPicker } from './skill-picker';
import { useRuns } from './use-runs';
import { type OpenedSkill, Workbench } from './workbench';

const loadOutput = () => import('./output-panel').then((loaded) => loaded.OutputPanel);
const OutputPanel = dynamic(loadOutput, { loading: () => <Skeleton className="m-5 h-40" /> });

/** Where form and output are one under the other. */
const STACKED = '(width < 64rem)';

export interface Suggestion {
  tool: string;
  skill: string;
  title: string;
  about: string;
}

interface PlaygroundProps {
  /** The skill of the address; null: none yet, or none of this name. */
  opened: OpenedSkill | null;
  /** The address names a skill that is not there. */
  unknown: string | null;
  given: JsonObject | null;
  /** Whose drafts these are. */
  accountId: string;
  accounts: BillingBalance['accounts'];
  suggestions: readonly Suggestion[];
}

/** Calls a skill as an agent would, and shows all of it. */
export function Playground({ opened, unknown, given, accountId, accounts, suggestions }: PlaygroundProps) {
  const router = useRouter();
  const [getQuery, setQuery] = useUrlQuery();
  const { runs, shown, show, run, cancel } = useRuns();
  const outputCard = useRef<HTMLDivElement>(null);
  const [reused, setReused] = useState<{ key: string; input: JsonObject } | null>(null);
  const key = opened ? `${opened.tool.name}.${opened.skill.name}` : '';
  const slug = getQuery('billing');
  const billing = accounts.some((account) => account.type === 'team' && account.slug === slug) ? slug : null;

  // An input in the address is where one begins; what is written from then on is not in it.
  useEffect(() => {
    if (given) setQuery({ input: null });
  }, [given, setQuery]);

  function choose(tool: string, skill: string) {
    const query = billing ? `&billing=${encodeURIComponent(billing)}` : '';
    router.push(playgroundPath(tool, skill) + query);
  }
  function start(call: WantedCall) {
    void loadOutput();
    void run(call);
    // On a phone it is below the form.
    if (window.matchMedia(STACKED).matches) outputCard.current?.scrollIntoView({ block: 'start' });
  }
  function reuse({ call }: Run) {
    setReused({ key: `${call.tool}.${call.skill}`, input: call.input });
    if (key !== `${call.tool}.${call.skill}`) choose(call.tool, call.skill);
  }

  return (
    <>
      <PageHeader
        title="Playground"
        description="Call any skill from here. It costs what a call with a key costs, and is in your usage as Playground."
        actions={
          <SkillPicker
            chosen={opened && { tool: opened.tool.name, skill: opened.skill.name }}
            onChoose={choose}
          />
        }
      />
      {unknown !== null && (
        <Notice tone="warning" title={`There is no skill ${unknown}`}>
          Choose another one, or look for it in the{' '}
          <Link href="/tools" className="link">
            catalogue
          </Link>
          .
        </Notice>
      )}
      {opened ? (
        <div className="grid gap-5 lg:grid-cols-2 lg:items-start">
          <Workbench
            key={key}
            opened={opened}
            given={given}
            draftName={`playground:${accountId}:${key}`}
            accounts={accounts}
            billing={billing ?? undefined}
            onBilling={(next) => setQuery({ billing: next })}
            running={runs.some(({ state }) => state === 'running')}
            refused={shown?.error?.code === 'INVALID_INPUT' ? shown.error : null}
            reused={reused?.key === key ? reused.input : null}
            onRun={start}
          />
          <Card ref={outputCard} className="min-w-0 scroll-mt-20 lg:sticky lg:top-20">
            <CardHeader title="Output" />
            {shown ? (
              <OutputPanel
                runs={runs}
                shown={shown}
                onShow={show}
                onCancel={(wanted) => void cancel(wanted)}
                onReuse={reuse}
              />
            ) : (
              <EmptyState icon={<Terminal />} title="Nothing was run yet">
                Fill in the input, or take an example, and press Run. What the call says and gives shows here.
              </EmptyState>
            )}
          </Card>
        </div>
      ) : (
        <Suggestions suggestions={suggestions} />
      )}
    </>
  );
}

function Suggestions({ suggestions }: { suggestions: readonly Suggestion[] }) {
  return (
    <Card>
      <EmptyState icon={<FlaskConical />} title="Choose a skill to call" className="pb-6">
        Take one of these to begin with, or search all of them with “Choose a skill”.
      </EmptyState>
      <ul className="grid gap-3 px-4 pb-6 sm:grid-cols-2 sm:px-5">
        {suggestions.map(({ tool, skill, title, about }) => (
          <li key={`${tool}.${skill}`}>
            <Link
              href={playgroundPath(tool, skill)}
              className="flex h-full flex-col gap-1 rounded-lg border px-4 py-3 hover:border-line-strong hover:bg-hover"
            >
              <span className="flex items-baseline justify-between gap-3 font-medium text-sm">
                {title}
                <span className="font-mono font-normal text-muted text-xs">
                  {tool}.{skill}
                </span>
              </span>
              <span className="line-clamp-2 text-muted text-sm">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import { playgroundPath } from '../shared/input-link';
import { useUrlQuery } from '../shared/use-url-query';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import type { OpenedSkill } from './opened-skill';
import { OutputCard, prefetchOutput } from './output-card';
import type { CallRequest, JsonObject, Run } from './runs';
import { SkillPicker } from './skill-picker';
import { type Suggestion, Suggestions } from './suggestions';
import { useRuns } from './use-runs';
import { Workbench } from './workbench';

/** Below this width, the form and the output are stacked. */
const STACKED = '(width < 64rem)';

interface PlaygroundProps {
  /** The skill in the URL; null if there is none or it is unknown. */
  opened: OpenedSkill | null;
  /** The name in the URL if there is no such skill. */
  unknown: string | null;
  given: JsonObject | null;
  /** About the input of a call that is run again: why it is not there, or not complete. */
  notice: ReactNode;
  /** The account that drafts are stored for. */
  accountId: string;
  accounts: BillingBalance['accounts'];
  suggestions: readonly Suggestion[];
}

/** A string key for a skill. */
function toSkillId({ tool, skill }: Pick<CallRequest, 'tool' | 'skill'>): string {
  return `${tool}.${skill}`;
}

/** Calls a skill as an agent would, and shows the complete result. */
export function Playground({ opened, unknown, given, notice, ...rest }: PlaygroundProps) {
  const { accountId, accounts, suggestions } = rest;
  const router = useRouter();
  const [getQuery, setQuery] = useUrlQuery();
  const session = useRuns();
  const { runs, shown } = session;
  const outputCard = useRef<HTMLDivElement>(null);
  const [reused, setReused] = useState<{ key: string; input: JsonObject } | null>(null);
  const key = opened ? `${opened.tool.name}.${opened.skill.name}` : '';
  const slug = getQuery('billing');
  const billing = accounts.some((account) => account.type === 'team' && account.slug === slug) ? slug : null;

  // The URL's input is only a starting point: remove it, because edits are not written to the URL.
  useEffect(() => {
    if (given) setQuery({ input: null, call: null });
  }, [given, setQuery]);

  function choose(tool: string, skill: string) {
    const query = billing ? `&billing=${encodeURIComponent(billing)}` : '';
    router.push(playgroundPath(tool, skill) + query);
  }
  function start(call: CallRequest) {
    prefetchOutput();
    void session.run(call);
    // On a phone, the output is below the form.
    if (window.matchMedia(STACKED).matches) outputCard.current?.scrollIntoView({ block: 'start' });
  }
  function reuse({ call }: Run) {
    setReused({ key: toSkillId(call), input: call.input });
    if (key !== toSkillId(call)) choose(call.tool, call.skill);
  }
  // Applied once, so that returning to this skill does not undo later edits.
  useEffect(() => {
    if (reused?.key === key) setReused(null);
  }, [reused, key]);

  return (
    <>
      <PageHeader
        title="Playground"
        description="Call any skill from your browser. Calls cost the same as with a key and appear in your usage as Playground."
        actions={
          <SkillPicker
            chosen={opened && { tool: opened.tool.name, skill: opened.skill.name }}
            onChoose={choose}
          />
        }
      />
      {unknown !== null && <UnknownSkill name={unknown} />}
      {opened && notice}
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
            refused={findInputError(shown, key)}
            reused={reused?.key === key ? reused.input : null}
            onRun={start}
          />
          <OutputCard ref={outputCard} session={session} onReuse={reuse} />
        </div>
      ) : (
        <Suggestions suggestions={suggestions} />
      )}
    </>
  );
}

/** The error of the shown run if it rejected the input of this skill. */
function findInputError(shown: Run | null, key: string): Run['error'] {
  return shown && toSkillId(shown.call) === key && shown.error?.code === 'INVALID_INPUT' ? shown.error : null;
}

function UnknownSkill({ name }: { name: string }) {
  return (
    <Notice tone="warning" title={`Unknown skill ${name}`}>
      Choose another skill, or search the{' '}
      <Link href="/tools" className="link">
        catalogue
      </Link>
      .
    </Notice>
  );
}

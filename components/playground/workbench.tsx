'use client';

import { Code, Play } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useEffect, useId, useRef, useState } from 'react';
import type { BillingBalance } from '@/server/billing/schema';
import type { Skill } from '@/server/catalog/schema';
import { Segmented } from '../dashboard/segmented';
import { SkillPrice } from '../site/price';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { CodeEditor } from '../ui/code-editor';
import { Kbd } from '../ui/kbd';
import { Notice } from '../ui/notice';
import { SchemaForm } from '../ui/schema-form/schema-form';
import { Select } from '../ui/select';
import { BeforeRun } from './before-run';
import { FileField } from './file-field';
import { ProblemList, problemsOf } from './problem-list';
import { useCheck } from './queries';
import type { CallError, JsonObject, WantedCall } from './runs';
import { type Workbench as Bench, useWorkbench } from './use-workbench';

const CodeSamples = dynamic(() => import('./code-samples').then((loaded) => loaded.CodeSamples), {
  loading: () => <div className="h-64" />,
});

const INPUT = 'input';

export interface OpenedSkill {
  tool: { name: string; displayName: string; available: boolean; unavailable_reason: string | null };
  skill: Pick<
    Skill,
    'name' | 'displayName' | 'description' | 'input' | 'examples' | 'pricing' | 'annotations'
  >;
}

interface WorkbenchProps {
  opened: OpenedSkill;
  given: JsonObject | null;
  draftName: string;
  accounts: BillingBalance['accounts'];
  billing: string | undefined;
  onBilling: (slug: string | undefined) => void;
  running: boolean;
  /** What the last run was refused for: its fields are marked. */
  refused: CallError | null;
  /** An earlier input to put into the form. */
  reused: JsonObject | null;
  onRun: (call: WantedCall) => void;
}

/** One skill: its input as a form or as JSON, what the call would meet, and the button that makes it. */
export function Workbench({
  opened,
  given,
  draftName,
  accounts,
  billing,
  onBilling,
  running,
  refused,
  reused,
  onRun,
}: WorkbenchProps) {
  const { tool, skill } = opened;
  const bench = useWorkbench(draftName, given);
  const [showAll, setShowAll] = useState(false);
  const [asCode, setAsCode] = useState(false);
  const summary = useRef<HTMLDivElement>(null);
  const formId = useId();
  const call: WantedCall = {
    tool: tool.name,
    skill: skill.name,
    input: bench.value,
    ...(billing && { billing }),
  };
  const check = useCheck(call);
  const problems = problemsOf(check.data, refused);

  const { replace } = bench;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is put in is put in once
  useEffect(() => {
    if (reused) replace(reused);
  }, [reused]);
  // What is wrong is said at its field: the focus goes where all of it is listed.
  useEffect(() => {
    if (showAll) summary.current?.focus();
  }, [showAll]);

  function run() {
    if (running) return;
    if (bench.broken !== null || (check.current && check.data?.input_valid === false)) {
      setShowAll(true);
      summary.current?.focus();
      return;
    }
    setShowAll(true);
    onRun(call);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the shortcut of the button inside, from wherever one writes
    <div
      className="min-w-0"
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
        event.preventDefault();
        run();
      }}
    >
      <Card>
        <SkillHeader opened={opened} />
        <InputTools bench={bench} skill={skill} />
        <div className="flex flex-col gap-5 p-4 sm:p-5">
          <ProblemList
            ref={summary}
            problems={showAll ? problems : []}
            broken={showAll ? bench.broken : null}
            formId={formId}
            linked={bench.mode === 'form'}
            value={bench.value}
            schema={skill.input ?? {}}
          />
          {bench.mode === 'form' ? (
            <SchemaForm
              key={bench.version}
              schema={skill.input ?? {}}
              value={bench.value}
              onChange={bench.change}
              formId={formId}
              path={INPUT}
              problems={problems}
              showAll={showAll}
              renderFile={(props) => <FileField {...props} />}
              onBroken={bench.setBrokenParts}
            />
          ) : (
            <JsonInput bench={bench} id={`${formId}json`} />
          )}
        </div>
        <div className="sticky bottom-0 z-10 flex flex-col gap-3 rounded-b-lg border-t bg-surface px-4 py-3 max-md:static sm:px-5">
          <BeforeRun
            check={check}
            pricing={skill.pricing}
            accounts={accounts}
            billing={billing}
            onBilling={onBilling}
          />
          <div className="flex flex-wrap items-center gap-2">
            <Button
              variant="primary"
              busy={running}
              onClick={run}
              aria-keyshortcuts="Control+Enter Meta+Enter"
            >
              <Play aria-hidden />
              Run
              <Kbd className="ml-1 border-transparent bg-transparent text-ink-inverse/70 max-sm:hidden">
                <span aria-hidden>Ctrl ↵</span>
              </Kbd>
            </Button>
            <Button aria-expanded={asCode} onClick={() => setAsCode(!asCode)}>
              <Code aria-hidden />
              {asCode ? 'Hide the code' : 'As code'}
            </Button>
          </div>
        </div>
        {asCode && (
          <div className="border-t p-4 sm:p-5">
            <CodeSamples call={call} />
          </div>
        )}
      </Card>
    </div>
  );
}

function SkillHeader({ opened: { tool, skill } }: { opened: OpenedSkill }) {
  return (
    <div className="flex flex-col gap-1 border-b px-4 py-3 sm:px-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold text-base">{skill.displayName}</h2>
        <SkillPrice pricing={skill.pricing} short className="text-sm" />
      </div>
      <p className="line-clamp-2 text-muted text-sm" title={skill.description}>
        {skill.description}
      </p>
      <Link href={`/tools/${tool.name}#${skill.name}`} prefetch={false} className="link w-fit text-sm">
        Read about {tool.displayName}
      </Link>
      {!tool.available && (
        <Notice tone="warning" title="This tool cannot be called here" className="mt-2">
          {tool.unavailable_reason}
        </Notice>
      )}
    </div>
  );
}

/** How it is written, and inputs to begin with. */
function InputTools({ bench, skill }: { bench: Bench; skill: OpenedSkill['skill'] }) {
  const examples = skill.examples ?? [];
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-b px-4 py-2.5 sm:px-5">
      <Segmented
        legend="How the input is written"
        value={bench.mode}
        options={[
          { value: 'form', label: 'Form' },
          { value: 'json', label: 'JSON' },
        ]}
        // Half-written JSON would be lost.
        onValueChange={(mode) =>
          bench.mode === 'json' && bench.broken !== null ? undefined : bench.choose(mode)
        }
      />
      {examples.length > 0 && (
        <Select
          aria-label="Fill in an example"
          className="w-56 max-sm:w-full"
          value=""
          onChange={({ target }) => {
            const example = examples[Number(target.value)];
            if (target.value === 'clear') bench.replace({});
            else if (example) bench.replace(example.input);
          }}
        >
          <option value="">Fill in an example</option>
          {examples.map(({ description }, at) => (
            <option key={description} value={String(at)}>
              {description}
            </option>
          ))}
          <option value="clear">Clear everything</option>
        </Select>
      )}
    </div>
  );
}

function JsonInput({ bench, id }: { bench: Bench; id: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <CodeEditor
        label="Input as JSON"
        value={bench.text}
        onChange={bench.write}
        describedBy={`${id}-state`}
      />
      <p
        id={`${id}-state`}
        role="status"
        className={bench.broken === null ? 'text-muted text-sm' : 'text-danger text-sm'}
      >
        {bench.broken ?? 'Valid JSON. Tab leads on to the next control.'}
      </p>
    </div>
  );
}

'use client';

import { useEffect, useId, useRef, useState } from 'react';
import type { BillingBalance } from '@/server/money/billing/schema';
import { Card } from '../ui/card';
import { InputArea } from './input-area';
import { InputTools } from './input-tools';
import type { OpenedSkill } from './opened-skill';
import { listProblems } from './problem-list';
import { useDryRun } from './queries';
import { RunBar } from './run-bar';
import type { CallError, CallRequest, JsonObject } from './runs';
import { SkillHeader } from './skill-header';
import { useWorkbench } from './use-workbench';

interface WorkbenchProps {
  opened: OpenedSkill;
  given: JsonObject | null;
  draftName: string;
  accounts: BillingBalance['accounts'];
  billing: string | undefined;
  onBilling: (slug: string | undefined) => void;
  running: boolean;
  /** The error of the last run, to mark its fields. */
  refused: CallError | null;
  /** An earlier input to copy into the form. */
  reused: JsonObject | null;
  onRun: (call: CallRequest) => void;
}

/** One skill: its input as a form or as JSON, the dry run, and the Run button. */
export function Workbench({ opened, given, draftName, refused, reused, onRun, ...paying }: WorkbenchProps) {
  const { tool, skill } = opened;
  const { billing, running } = paying;
  const bench = useWorkbench(draftName, given);
  const [showAll, setShowAll] = useState(false);
  const [blocked, setBlocked] = useState(0);
  const summary = useRef<HTMLDivElement>(null);
  const formId = useId();
  const named = { tool: tool.name, skill: skill.name, input: bench.value };
  const call: CallRequest = billing ? { ...named, billing } : named;
  const check = useDryRun(call);

  const { replace } = bench;
  useEffect(() => {
    if (reused) replace(reused);
  }, [reused, replace]);
  // The run was blocked: move the focus to the list of problems.
  useEffect(() => {
    if (blocked > 0) summary.current?.focus();
  }, [blocked]);

  function run() {
    if (running) return;
    setShowAll(true);
    if (bench.broken !== null || (check.current && check.data?.input_valid === false))
      setBlocked(blocked + 1);
    else if (check.current && check.data) onRun({ ...call, max_cost_usd: check.data.estimated_cost_usd });
    else onRun(call);
  }

  return (
    <div
      className="min-w-0"
      // The Run shortcut. In the capture phase, because the JSON editor would insert a line break.
      onKeyDownCapture={(event) => {
        if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
        event.preventDefault();
        event.stopPropagation();
        run();
      }}
    >
      <Card>
        <SkillHeader opened={opened} />
        <InputTools bench={bench} skill={skill} />
        <InputArea
          bench={bench}
          schema={skill.input ?? {}}
          formId={formId}
          problems={listProblems(check.data, refused)}
          showAll={showAll}
          summary={summary}
        />
        <RunBar call={call} check={check} pricing={skill.pricing} onRun={run} {...paying} />
      </Card>
    </div>
  );
}

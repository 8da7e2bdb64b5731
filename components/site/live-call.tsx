'use client';

import { useState } from 'react';
import type { CallResult } from '@/server/calls/result/schema';
import { curlCall, type SampleCall } from '../shared/call-samples';
import { Button } from '../ui/button';
import { cn } from '../ui/cn';
import { Code } from '../ui/code-block';
import { Money } from '../ui/money';
import { parseJson } from '../ui/parse-json';
import { callTool, type LiveResponse, type Problem } from './live-gateway';
import { CurlLine, PanelStep, ProblemLine, ResponseLine } from './live-parts';

interface LiveCallProps {
  baseUrl: string;
  calls: SampleCall[];
  /** Null until the visitor has a key. */
  apiKey: string | null;
}

/**
 * The second step of the panel: a free call, chosen and edited, with its response, cost and limits.
 */
export function LiveCall({ baseUrl, calls, apiKey }: LiveCallProps) {
  const [chosen, setChosen] = useState(0);
  const [drafts, setDrafts] = useState(() => calls.map((call) => JSON.stringify(call.input, null, 2)));
  const [busy, setBusy] = useState(false);
  const [result, setResult] = useState<LiveResponse<CallResult> | Problem | null>(null);
  const call = calls[chosen];
  if (!call) return null;
  const draft = drafts[chosen] ?? '{}';
  const input = parseInput(draft);

  async function run() {
    if (!call || apiKey === null) return;
    if (!input) {
      setResult({
        kind: 'problem',
        status: null,
        text: 'The input is not a valid JSON object. Fix it and call again.',
      });
      return;
    }
    setBusy(true);
    setResult(await callTool(apiKey, { tool: call.tool, skill: call.skill, input }));
    setBusy(false);
  }

  return (
    <PanelStep number={2} method="POST" path="/v1/tools/call" done={result?.kind === 'answer'}>
      <CallChoice
        calls={calls}
        chosen={chosen}
        onChoose={(next) => {
          setChosen(next);
          setResult(null);
        }}
      />
      <label className="flex flex-col gap-1.5">
        <span className="text-muted text-xs">Input (editable JSON)</span>
        <textarea
          value={draft}
          rows={Math.min(6, draft.split('\n').length)}
          spellCheck={false}
          aria-invalid={!input}
          className="field-control resize-y px-3 py-2 font-mono sm:text-xs"
          onChange={(event) => setDrafts(drafts.with(chosen, event.target.value))}
        />
      </label>
      <CurlLine code={curlCall(baseUrl, { ...call, input: input ?? call.input })} label="this call as curl" />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          variant={apiKey === null ? 'secondary' : 'primary'}
          disabled={apiKey === null}
          busy={busy}
          onClick={run}
        >
          Call the tool
        </Button>
        {apiKey === null && <span className="text-muted text-sm">Get a key first.</span>}
      </div>
      <div role="status" className="empty:hidden">
        {result?.kind === 'answer' && <CallResponseLine answer={result} />}
        {result?.kind === 'problem' && <ProblemLine problem={result} />}
      </div>
      {result?.kind === 'answer' && (
        <div className="min-w-0 rounded-md border">
          <Code
            code={`${result.headers.join('\n')}\n\n${JSON.stringify(result.body, null, 2)}`}
            label="Response"
            wrap
            className="max-h-96 p-3"
          />
        </div>
      )}
    </PanelStep>
  );
}

function parseInput(draft: string): Record<string, unknown> | null {
  const parsed = parseJson(draft);
  const value = parsed.ok ? parsed.value : null;
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : null;
}

interface CallChoiceProps {
  calls: SampleCall[];
  chosen: number;
  onChoose: (index: number) => void;
}

function CallChoice({ calls, chosen, onChoose }: CallChoiceProps) {
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">Skill to call</legend>
      {calls.map((call, index) => (
        <label
          key={`${call.tool}.${call.skill}`}
          className={cn(
            'relative cursor-pointer rounded-md border px-2.5 py-1 font-mono text-xs has-focus-visible:outline-2 has-focus-visible:outline-accent',
            index === chosen ? 'border-accent text-ink' : 'text-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="live-call"
            checked={index === chosen}
            onChange={() => onChoose(index)}
            className="absolute inset-0 cursor-pointer appearance-none opacity-0"
          />
          {call.tool}.{call.skill}
        </label>
      ))}
    </fieldset>
  );
}

function CallResponseLine({ answer }: { answer: LiveResponse<CallResult> }) {
  const { usage } = answer.body;
  return (
    <ResponseLine answer={answer} unit="calls">
      {usage && (
        <span>
          cost <Money usd={usage.cost} exact className="font-medium text-ink" />
        </span>
      )}
    </ResponseLine>
  );
}

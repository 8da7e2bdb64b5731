'use client';

import Link from 'next/link';
import { ResultView } from '../results/result-view';
import { formatDuration } from '../shared/format';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Square } from '../ui/icons';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';
import { RunError } from './run-error';
import { Elapsed, RunLog } from './run-log';
import type { Run } from './runs';

interface RunViewProps {
  run: Run;
  onCancel: (run: Run) => void;
  /** Copies its input into the form. */
  onReuse: (run: Run) => void;
}

export const STATES = {
  running: { label: 'Running', tone: 'accent' },
  succeeded: { label: 'Succeeded', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
  left: { label: 'Continues as a job', tone: 'warning' },
} as const;

/** One run: its progress, result and cost. */
export function RunView({ run, onCancel, onReuse }: RunViewProps) {
  const { state, result, error, call } = run;
  return (
    <div className="flex min-w-0 flex-col gap-4 p-4 sm:p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm">
        <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
        <span className="min-w-0 truncate font-mono text-xs">
          {call.tool}.{call.skill}
        </span>
        <span className="text-muted">
          <Elapsed run={run} />
        </span>
        <span className="ml-auto flex gap-2">
          {state === 'running' ? (
            <Button size="sm" onClick={() => onCancel(run)}>
              <Square aria-hidden />
              Cancel
            </Button>
          ) : (
            <Button size="sm" variant="ghost" onClick={() => onReuse(run)}>
              Reuse this input
            </Button>
          )}
        </span>
      </div>
      {/* Announces the state whenever it changes. */}
      <p role="status" className="sr-only">
        {call.tool}.{call.skill}: {STATES[state].label}
      </p>
      {(state === 'running' || run.lines.length > 0) && <RunLog run={run} />}
      {error && <RunError error={error} run={run} />}
      {state === 'left' && <LeftNotice run={run} />}
      {state === 'cancelled' && <Notice title="Cancelled">The call was stopped. Nothing was charged.</Notice>}
      {result && <ResultView output={result.output} />}
      <Facts run={run} />
    </div>
  );
}

function LeftNotice({ run }: { run: Run }) {
  return (
    <Notice tone="warning" live title="Continues in the background">
      The call continues as a job and is charged if it succeeds.{' '}
      {run.jobId && (
        <Link href={`/dashboard/jobs?job=${run.jobId}`} className="link">
          View job
        </Link>
      )}
    </Notice>
  );
}

function Facts({ run: { callId, result, state } }: { run: Run }) {
  if (callId === null || state === 'running') return null;
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 border-t pt-4 text-sm sm:grid-cols-3">
      {result?.usage && (
        <>
          <Fact name="Cost">
            <Money usd={result.usage.cost} exact />
          </Fact>
          <Fact name="Credit left">
            <Money usd={result.usage.credits_remaining} down />
          </Fact>
        </>
      )}
      {result?.meta && <Fact name="Tool time">{formatDuration(result.meta.latency_ms)}</Fact>}
      <Fact name="Call" wide>
        <Link href={`/dashboard/usage?call=${callId}`} className="link break-all font-mono text-xs">
          {callId}
        </Link>
      </Fact>
    </dl>
  );
}

function Fact({ name, wide, children }: { name: string; wide?: boolean; children: React.ReactNode }) {
  return (
    <div className={wide ? 'col-span-full flex min-w-0 flex-col' : 'flex min-w-0 flex-col'}>
      <dt className="text-muted text-xs">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

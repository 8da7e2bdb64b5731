'use client';

import { Badge } from '../ui/badge';
import { cn } from '../ui/cn';
import { Money } from '../ui/money';
import { Elapsed } from './run-log';
import { STATES } from './run-view';
import type { Run } from './runs';

interface RunHistoryProps {
  runs: readonly Run[];
  shown: Run;
  onShow: (number: number) => void;
}

/**
 * The runs of this session, to revisit and compare. They are lost with the page; the usage page has
 * all calls.
 */
export function RunHistory({ runs, shown, onShow }: RunHistoryProps) {
  if (runs.length < 2) return null;
  return (
    <section aria-labelledby="runs-title" className="border-t">
      <h3 id="runs-title" className="px-4 pt-3 font-medium text-sm sm:px-5">
        Runs in this session
      </h3>
      <ul className="max-h-72 overflow-y-auto p-2 sm:px-3">
        {runs.map((run) => (
          <li key={run.number}>
            <button
              type="button"
              aria-current={run === shown ? 'true' : undefined}
              onClick={() => onShow(run.number)}
              className={cn(
                'flex w-full items-center gap-3 rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover focus-visible:-outline-offset-2',
                run === shown && 'bg-hover',
              )}
            >
              <span className="w-6 shrink-0 text-muted text-xs">{run.number}</span>
              <span className="min-w-0 flex-1 truncate font-mono text-xs">
                {run.call.tool}.{run.call.skill}
                <span className="text-muted"> {JSON.stringify(run.call.input)}</span>
              </span>
              <span className="shrink-0 text-muted text-xs">
                {run.result?.usage && <Money usd={run.result.usage.cost} exact />} <Elapsed run={run} />
              </span>
              <Badge tone={STATES[run.state].tone}>{STATES[run.state].label}</Badge>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

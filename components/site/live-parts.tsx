import type { ReactNode } from 'react';
import { CALL_WINDOWS } from '@/server/core/limits/limits';
import { formatDuration } from '../shared/format';
import { cn } from '../ui/cn';
import { CopyButton } from '../ui/copy-button';
import { Check } from '../ui/icons';
import type { LiveResponse, Problem } from './live-gateway';

interface PanelStepProps {
  number: number;
  method: string;
  path: string;
  done: boolean;
  children: ReactNode;
}

/** One request of the panel, with its number and route. */
export function PanelStep({ number, method, path, done, children }: PanelStepProps) {
  return (
    <div className="flex min-w-0 flex-col gap-3 px-4 py-4 sm:px-5">
      <h2 className="flex items-center gap-2.5 font-mono text-sm">
        <span
          className={cn(
            'flex size-5 shrink-0 items-center justify-center rounded-full font-sans font-semibold text-xs',
            done ? 'bg-success-soft text-success' : 'bg-accent-soft text-accent',
          )}
        >
          {done ? <Check aria-hidden className="size-3" strokeWidth={3} /> : <span>{number}</span>}
          {done && <span className="sr-only">Done:</span>}
        </span>
        <span className="font-normal text-muted">{method}</span>
        <span className="truncate font-medium">{path}</span>
      </h2>
      {children}
    </div>
  );
}

/** The request as a curl command. */
export function CurlLine({ code, label }: { code: string; label: string }) {
  return (
    <div className="flex items-start gap-2">
      <pre className="min-w-0 flex-1 whitespace-pre-wrap py-1.5 font-mono text-xs leading-5 [overflow-wrap:anywhere]">
        <span aria-hidden className="select-none text-muted">
          ${' '}
        </span>
        <code>{code}</code>
      </pre>
      <CopyButton value={code} label={`Copy ${label}`} />
    </div>
  );
}

const WINDOW: Record<string, string> = {
  ...Object.fromEntries(CALL_WINDOWS.map(({ name }) => [name, `this ${name}`])),
  provision: 'this hour',
};

interface ResponseLineProps {
  answer: LiveResponse<unknown>;
  /** The unit that the quota counts. */
  unit: string;
  /** Additional facts, between the duration and the quota. */
  children?: ReactNode;
}

/** `200 in 12 ms`, the cost, and what remains of the first quota. */
export function ResponseLine({ answer, unit, children }: ResponseLineProps) {
  const quota = answer.quotas[0];
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-sm">
      <span>
        <span className="font-medium text-success">{answer.status}</span> in {formatDuration(answer.ms)}
      </span>
      {children}
      {quota && (
        <span>
          {quota.remaining} of {quota.limit} {unit} left {WINDOW[quota.name] ?? ''}
        </span>
      )}
    </p>
  );
}

export function ProblemLine({ problem }: { problem: Problem }) {
  return (
    <p className="text-sm">
      {problem.status !== null && <span className="font-medium text-danger">{problem.status} </span>}
      {problem.text}
    </p>
  );
}

import type { ReactNode } from 'react';
import type { CallDetails, UsageCall } from '@/server/usage/schema';
import { CallStatus } from '../shared/call-status';
import { formatDuration } from '../shared/format';
import { cn } from '../ui/cn';
import { DateTime } from '../ui/date-time';
import { formatMoney, Money } from '../ui/money';

/** A shorter wait is the gateway's own work. */
const SHOWN_QUEUE_MS = 1_000;

interface CallTimelineProps {
  call: UsageCall;
  /** Undefined until they have loaded. */
  details: CallDetails | undefined;
}

/** What happened to a call, step by step, from its admission to its charge. */
export function CallTimeline({ call, details }: CallTimelineProps) {
  const all = Math.max(0, Date.parse(call.finished_at) - Date.parse(call.created_at));
  const queuedMs = Math.max(0, all - call.latency_ms);
  return (
    <section>
      <h3 className="font-medium text-muted text-xs">What happened</h3>
      <ol className="mt-2 text-sm">
        <Step title="Admitted" at={call.created_at}>
          {describePrice(call, details)}
        </Step>
        {call.job_id !== null || queuedMs >= SHOWN_QUEUE_MS ? (
          <Step title={details?.attempts === 0 ? 'Never started' : 'Started'} at={details?.started_at}>
            {[
              queuedMs >= SHOWN_QUEUE_MS && `Waited ${formatDuration(queuedMs)}.`,
              details?.attempts && describeAttempts(details.attempts),
            ]
              .filter(Boolean)
              .join(' ')}
          </Step>
        ) : null}
        <Step title={<CallStatus status={call.status} />} at={call.finished_at}>
          {details?.attempts !== 0 && `The tool ran for ${formatDuration(call.latency_ms)}.`}
        </Step>
        <Settled call={call} details={details} />
      </ol>
    </section>
  );
}

/** The last step, as the ledger has it. */
function Settled({ call, details }: CallTimelineProps) {
  if (call.cost_usd === 0) return <Step title="Nothing charged" at={call.finished_at} isLast />;
  const entry = details?.ledger_entry;
  return (
    <Step
      title={
        <>
          Charged <Money usd={call.cost_usd} exact />
        </>
      }
      at={entry?.created_at ?? call.finished_at}
      isLast
    >
      {entry && `Ledger entry ${entry.id}.`}
    </Step>
  );
}

function describePrice(call: UsageCall, details: CallDetails | undefined): string {
  if (!details) return '';
  const most = details.max_cost_usd ?? call.cost_usd;
  return most > 0 ? `It could cost up to ${formatMoney(most)}.` : '';
}

function describeAttempts(attempts: number): string {
  return attempts === 1 ? '' : `${attempts} attempts: a process that ran it ended.`;
}

interface StepProps {
  title: ReactNode;
  at: string | null | undefined;
  isLast?: boolean;
  children?: ReactNode;
}

function Step({ title, at, isLast = false, children }: StepProps) {
  return (
    <li className={cn('relative flex gap-3 pb-4', isLast && 'pb-0')}>
      {!isLast && <span aria-hidden className="absolute top-3.5 -bottom-1.5 left-1 w-px bg-line-strong" />}
      <span aria-hidden className="mt-1.5 size-2 shrink-0 rounded-full bg-line-strong" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">{title}</span>
          {at && <DateTime at={at} format="second" className="text-muted" />}
        </div>
        {children && <p className="text-muted">{children}</p>}
      </div>
    </li>
  );
}

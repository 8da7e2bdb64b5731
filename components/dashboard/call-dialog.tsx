'use client';

import Link from 'next/link';
import type { ReactNode } from 'react';
import type { UsageRecord } from '@/server/usage/schema';
import { CopyButton } from '../ui/copy-button';
import { DateTime } from '../ui/date-time';
import { Dialog } from '../ui/dialog';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';
import { CallStatus } from './call-status';
import { errorHint } from './error-hint';
import { formatDuration } from './format';
import { useReturnFocus } from './use-return-focus';

interface CallDialogProps {
  call: UsageRecord | null;
  onClose: () => void;
}

/** Everything that is kept of one call. */
export function CallDialog({ call, onClose }: CallDialogProps) {
  useReturnFocus(call !== null);
  return (
    <Dialog
      open={call !== null}
      onOpenChange={(open) => !open && onClose()}
      title={call ? <span className="font-mono text-base">{`${call.tool}.${call.skill}`}</span> : ''}
      className="sm:max-w-lg"
    >
      {call && <CallFacts call={call} />}
    </Dialog>
  );
}

function CallFacts({ call }: { call: UsageRecord }) {
  return (
    <div className="flex flex-col gap-4">
      {call.error_code && (
        <Notice tone="danger" title={<code className="font-mono">{call.error_code}</code>}>
          {errorHint(call.error_code)}
        </Notice>
      )}
      <dl className="divide-y text-sm">
        <Fact name="Status">
          <CallStatus status={call.status} />
        </Fact>
        <Fact name="Cost">
          <span className="font-medium">
            {call.status === 'error' && call.cost_usd === 0 ? 'Not charged' : <Money usd={call.cost_usd} />}
          </span>
        </Fact>
        {call.cost_usd > 0 && (
          <>
            <Fact name="Provider’s part">
              <Money usd={call.raw_cost_usd} />
            </Fact>
            <Fact name="Platform fee">
              <Money usd={call.markup_usd} />
            </Fact>
          </>
        )}
        <Fact name="Charged to">
          {call.billing}
          {call.byok && ', with your own provider key'}
        </Fact>
        <Fact name="Key">
          <Link href={`/dashboard/keys/${call.key_id}`} className="link">
            {call.key_name}
          </Link>
        </Fact>
        <Fact name="Tool">
          <Link href={`/tools/${encodeURIComponent(call.tool)}`} className="link">
            {call.tool}
          </Link>
        </Fact>
        <Fact name="Time taken">{formatDuration(call.latency_ms)}</Fact>
        <Fact name="Started">
          <DateTime at={call.created_at} format="exact" className="whitespace-normal" />
        </Fact>
        <Fact name="Call id">
          <Id value={call.id} label="Copy call id" />
        </Fact>
        {call.job_id && (
          <Fact name="Job id">
            <Id value={call.job_id} label="Copy job id" />
          </Fact>
        )}
      </dl>
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 items-center justify-between gap-6 py-1.5">
      <dt className="shrink-0 text-muted">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  );
}

export function Id({ value, label }: { value: string; label: string }) {
  return (
    <span className="flex items-center justify-end gap-1">
      <code className="min-w-0 break-all font-mono text-xs">{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}

'use client';

import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import type { ApiKey } from '@/server/keys/schema';
import type { UsageHistory, UsageSummary } from '@/server/usage/schema';
import { Card } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { PageHeader } from '../ui/page-header';
import { Id } from './call-dialog';
import { CallsPanel } from './calls-panel';
import { KeyActions } from './key-actions';
import { KeyAllowance } from './key-allowance';
import { KeyStatus } from './key-status';
import { useKey } from './queries';
import { UsagePanel } from './usage-panel';

interface KeyDetailProps {
  initial: ApiKey;
  usage: UsageSummary;
  history: UsageHistory;
}

export function KeyDetail({ initial, usage, history }: KeyDetailProps) {
  const key = useKey(initial).data ?? initial;
  return (
    <>
      <PageHeader
        back={
          <Link href="/dashboard/keys" className="inline-flex items-center gap-1.5 text-muted hover:text-ink">
            <ArrowLeft aria-hidden className="size-4" />
            Keys
          </Link>
        }
        title={key.name}
        actions={<KeyActions apiKey={key} text />}
      />
      <Card>
        <dl className="grid gap-x-6 gap-y-4 p-4 text-sm sm:grid-cols-2 sm:p-5 lg:grid-cols-3">
          <Fact name="Status">
            <KeyStatus apiKey={key} />
          </Fact>
          <Fact name="Key">
            <code className="font-mono">{key.key_prefix}</code>
          </Fact>
          <Fact name="Credit used">
            <KeyAllowance apiKey={key} />
          </Fact>
          <Fact name="Last used">{key.last_used_at ? <DateTime at={key.last_used_at} /> : 'Never'}</Fact>
          <Fact name="Created">
            <DateTime at={key.created_at} format="exact" className="whitespace-normal" />
          </Fact>
          <Fact name="Id">
            <span className="flex justify-start">
              <Id value={key.id} label="Copy key id" />
            </span>
          </Fact>
        </dl>
      </Card>
      <UsagePanel keyId={key.id} initial={usage} />
      <CallsPanel title="Calls" keyId={key.id} initial={history} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-muted">{name}</dt>
      <dd className="min-w-0 [&>div]:items-start">{children}</dd>
    </div>
  );
}

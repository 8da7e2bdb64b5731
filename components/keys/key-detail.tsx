'use client';

import { ArrowLeft } from 'lucide-react';
import Link from 'next/link';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { UsageCalls, UsageReport } from '@/server/usage/schema';
import { Id } from '../shared/id';
import { KeyStatus } from '../shared/key-status';
import { KEY_PERIODS } from '../shared/period';
import { useKey } from '../shared/queries';
import { useUrlChoice } from '../shared/use-url-choice';
import { Card } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { PageHeader } from '../ui/page-header';
import { Breakdown } from '../usage/breakdown';
import { CallsList } from '../usage/calls-list';
import { type InitialData, useReport } from '../usage/queries';
import { ReportCard } from '../usage/report-card';
import { KeyActions } from './key-actions';
import { KeyAllowance } from './key-allowance';
import { describeRules } from './read-rules';

interface KeyDetailProps {
  initial: ApiKey;
  period: (typeof KEY_PERIODS)[number];
  /** Over all accounts the key has charged. */
  report: UsageReport;
  calls: UsageCalls;
}

export function KeyDetail({ initial, period, report, calls }: KeyDetailProps) {
  const key = useKey(initial).data ?? initial;
  const filter = { every_account: true, key_id: key.id };
  const all = { ...filter, period: 'all' as const };
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
          <Fact name="Can manage the account">{key.manages_account ? 'Yes' : 'No'}</Fact>
          <Fact name="Rules">
            <KeyRules apiKey={key} />
          </Fact>
          {key.previous_secret_expires_at && (
            <Fact name="Previous secret">
              Works until <DateTime at={key.previous_secret_expires_at} format="exact" />
            </Fact>
          )}
          {key.tags.length > 0 && <Fact name="Tags">{key.tags.join(', ')}</Fact>}
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
      <ReportCard
        title="Usage"
        filter={filter}
        periods={KEY_PERIODS}
        first={{ filter: { ...filter, period }, data: report }}
      />
      <KeyBreakdown keyId={key.id} first={{ filter: { ...filter, period }, data: report }} />
      <CallsList title="Calls" keys={false} filter={all} first={{ filter: all, data: calls }} />
    </>
  );
}

/** Spending by tool and by charged account, including teams of the key's owner. */
function KeyBreakdown({ keyId, first }: { keyId: string; first: InitialData<UsageReport> }) {
  const [period] = useUrlChoice('period', KEY_PERIODS);
  const query = useReport({ every_account: true, key_id: keyId, period }, first);
  if (!query.data || query.data.totals.calls === 0) return null;
  const several = (query.data.by_account ?? []).some(({ slug }) => slug !== null);
  return (
    <Breakdown
      report={query.data}
      filter={{ key_id: keyId, period }}
      offer={several ? ['tool', 'account'] : ['tool']}
      stale={query.isPlaceholderData}
    />
  );
}

function KeyRules({ apiKey }: { apiKey: ApiKey }) {
  const rules = describeRules(apiKey);
  if (rules.length === 0 && apiKey.expires_at === null) return 'None';
  return (
    <ul className="break-words">
      {apiKey.expires_at && (
        <li>
          {apiKey.expired ? 'Expired' : 'Expires'} <DateTime at={apiKey.expires_at} format="exact" />
        </li>
      )}
      {rules.map((rule) => (
        <li key={rule}>{rule}</li>
      ))}
    </ul>
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

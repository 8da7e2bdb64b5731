'use client';

import Link from 'next/link';
import type { KeyPage } from '@/server/identity/keys/schema';
import type { BillingBalance } from '@/server/money/billing/schema';
import type { BlockedKey } from '@/server/usage/attention-schema';
import type { RefusalReport } from '@/server/usage/refusals-schema';
import type { UsageCalls, UsageReport } from '@/server/usage/schema';
import { Id } from '../shared/id';
import { KeyStatus } from '../shared/key-status';
import { KEY_PERIODS } from '../shared/period';
import { useBlockedKeys, useIsBroke, useKey } from '../shared/queries';
import { gatewayError } from '../shared/trpc-provider';
import { useUrlChoice } from '../shared/use-url-choice';
import { Card } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { Fact } from '../ui/fact';
import { ArrowLeft } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';
import { lazyPart } from '../ui/lazy-part';
import { PageHeader } from '../ui/page-header';
import { Breakdown } from '../usage/breakdown';
import { CallsList } from '../usage/calls-list';
import { type InitialData, useReport } from '../usage/queries';
import { ReportCard } from '../usage/report-card';
import { KeyActions } from './key-actions';
import { toKeyFilter, toRefusalsOfKey } from './key-filter';
import { KeyLimits } from './key-limits';
import { KeyRestrictions } from './key-restrictions';
import { KeySamples } from './key-samples';
import { KeySecret } from './key-secret';

/** Loaded only if the viewer leaves the team. */
const DashboardNotFoundView = lazyPart(() =>
  import('../shared/dashboard-not-found-view').then((module) => module.DashboardNotFoundView),
);

/** Loaded only for a key with refused calls. */
const KeyRefusals = lazyPart(() => import('../usage/key-refusals').then((module) => module.KeyRefusals));

/** Loaded only for a key whose calls are refused. */
const BlockedNotice = lazyOverlay(() => import('./blocked-notice').then((module) => module.BlockedNotice));

interface KeyDetailProps {
  initial: KeyPage;
  /** The keys of its account whose calls a limit refuses now. */
  blocked: BlockedKey[];
  balance: BillingBalance | undefined;
  /** Its refused calls of the last 30 days. */
  refusals: RefusalReport;
  period: (typeof KEY_PERIODS)[number];
  /** Over all accounts the key has charged. */
  report: UsageReport;
  calls: UsageCalls;
  /** The address of the gateway, for code samples. */
  origin: string;
}

/** A key: limits with what is left, restrictions, secret, usage, calls and code samples. */
export function KeyDetail({ initial, blocked: firstBlocked, refusals, balance, ...server }: KeyDetailProps) {
  const { period, report, calls, origin } = server;
  const query = useKey(initial);
  const allBlocked = useBlockedKeys(firstBlocked, initial.team?.slug);
  const page = query.data;
  const broke = useIsBroke(balance, initial.team?.slug);
  // The viewer left the team while the page was open: show nothing of its key.
  if (gatewayError(query.error)?.code === 'NOT_FOUND') return <DashboardNotFoundView />;
  const { key, team, can_change: canChange } = page;
  const filter = toKeyFilter(page);
  const blocked = allBlocked.find(({ key_id: id }) => id === key.id);
  const all = { ...filter, period: 'all' as const };
  return (
    <>
      <PageHeader
        back={
          <Link
            href={`/dashboard/keys${team ? `?billing=${encodeURIComponent(team.slug)}` : ''}`}
            className="inline-flex items-center gap-1.5 text-muted hover:text-ink"
          >
            <ArrowLeft aria-hidden className="size-4" />
            {team ? `Keys of ${team.name}` : 'Keys'}
          </Link>
        }
        title={<span className="break-words">{key.name}</span>}
        actions={canChange && <KeyActions apiKey={key} team={team !== null} text />}
      />
      {blocked && key.status === 'active' && (
        <BlockedNotice
          blocked={blocked}
          apiKey={key}
          canChange={canChange}
          filter={{ billing: team?.slug, key_id: key.id }}
        />
      )}
      <KeyFacts page={page} blocked={blocked} broke={broke} />
      <KeyLimits page={page} />
      <div className="grid gap-6 lg:grid-cols-2">
        <KeyRestrictions apiKey={key} canChange={canChange} />
        <KeySecret apiKey={key} canChange={canChange} />
      </div>
      <ReportCard
        title="Usage"
        filter={filter}
        periods={KEY_PERIODS}
        first={{ filter: { ...filter, period }, data: report }}
      />
      <KeyBreakdown filter={filter} first={{ filter: { ...filter, period }, data: report }} />
      {(refusals.refused > 0 || blocked) && <KeyRefusals filter={toRefusalsOfKey(page)} report={refusals} />}
      <CallsList title="Recent calls" keys={false} filter={all} first={{ filter: all, data: calls }} />
      <KeySamples apiKey={key} origin={origin} />
    </>
  );
}

interface KeyFactsProps {
  page: KeyPage;
  blocked: BlockedKey | undefined;
  /** Its account has no credit. */
  broke: boolean;
}

function KeyFacts({ page: { key, team }, blocked, broke }: KeyFactsProps) {
  return (
    <Card>
      <dl className="grid gap-x-6 gap-y-4 p-4 text-sm sm:grid-cols-2 sm:p-5 lg:grid-cols-3">
        <Fact name="Status">
          <KeyStatus apiKey={key} blocked={blocked} broke={broke} />
        </Fact>
        <Fact name="Charges">
          {team ? (
            <Link href={`/dashboard/team/${encodeURIComponent(team.slug)}`} className="link break-words">
              {team.name}
            </Link>
          ) : (
            'Personal, or a team that the call names'
          )}
        </Fact>
        <Fact name="Can manage the account">{key.manages_account ? 'Yes' : 'No'}</Fact>
        <Fact name="Last call">
          {key.last_used_at ? <DateTime at={key.last_used_at} format="age" /> : 'None'}
        </Fact>
        <Fact name="Created">
          <DateTime at={key.created_at} format="exact" className="whitespace-normal" />
        </Fact>
        <Fact name="Id">
          <span className="flex justify-start">
            <Id value={key.id} label="Copy key id" />
          </span>
        </Fact>
        {key.tags.length > 0 && <Fact name="Tags">{key.tags.join(', ')}</Fact>}
      </dl>
    </Card>
  );
}

interface KeyBreakdownProps {
  filter: ReturnType<typeof toKeyFilter>;
  first: InitialData<UsageReport>;
}

/** Spending by tool and by charged account, including teams of the key's owner. */
function KeyBreakdown({ filter, first }: KeyBreakdownProps) {
  const [period] = useUrlChoice('period', KEY_PERIODS);
  const query = useReport({ ...filter, period }, first);
  if (!query.data || query.data.totals.calls === 0) return null;
  const several = (query.data.by_account ?? []).some(({ slug }) => slug !== null);
  const { key_id, billing } = { billing: undefined, ...filter };
  return (
    <Breakdown
      report={query.data}
      filter={{ key_id, billing, period }}
      offer={several ? ['tool', 'account'] : ['tool']}
      stale={query.isPlaceholderData}
    />
  );
}

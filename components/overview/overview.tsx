'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import type { OwnJobList } from '@/server/calls/jobs/schema';
import type { BillingBalance, Preferences, Statement } from '@/server/money/billing/schema';
import type { Attention, NearLimits } from '@/server/usage/attention-schema';
import type { UsageCalls, UsageErrors, UsageOverview, UsageReport } from '@/server/usage/schema';
import { OverviewNotices } from '../billing/overview-notices';
import { RunningJobs } from '../jobs/running-jobs';
import { OVERVIEW_PERIODS, type OverviewPeriod, RECENT_CALLS } from '../shared/period';
import { useUrlChoice } from '../shared/use-url-choice';
import { ArrowRight } from '../ui/icons';
import { lazyPart } from '../ui/lazy-part';
import { PageHeader } from '../ui/page-header';
import { CallsList } from '../usage/calls-list';
import { useAttention, useUsageSummary } from '../usage/queries';
import { ReportCard } from '../usage/report-card';
import { periodWords, toErrorsFilter, writeView } from '../usage/view';
import { BalanceCard } from './balance-card';
import { GettingStarted } from './getting-started';
import { RankedLists } from './ranked-lists';

/** Loaded only if calls are refused. */
const AttentionCard = lazyPart(() => import('./attention').then((module) => module.AttentionCard));

interface OverviewProps {
  /** The slug of the selected team; undefined for the personal account. */
  billing: string | undefined;
  balance: BillingBalance;
  glance: UsageOverview;
  period: OverviewPeriod;
  report: UsageReport;
  errors: UsageErrors;
  limits: NearLimits;
  attention: Attention;
  calls: UsageCalls;
  preferences: Preferences;
  /** The head of the statement: debt and disputes. */
  statement: Statement;
  /** Running jobs of the person's own keys; null on a team's overview. */
  running: OwnJobList | null;
}

export function Overview({ billing, balance, period, report, calls, ...rest }: OverviewProps) {
  const isPersonal = billing === undefined;
  const glance = useUsageSummary(billing, rest.glance).data;
  const attention = useAttention(billing, rest.attention);
  const router = useRouter();
  // The period of all cards, which the card of usage chooses.
  const [chosen] = useUrlChoice('period', OVERVIEW_PERIODS);
  const filter = { billing, period: chosen };
  const shown = { billing, period };
  return (
    <>
      <PageHeader title="Overview" />
      {attention.now.length + attention.past.length > 0 && (
        <AttentionCard attention={attention} billing={billing} />
      )}
      {isPersonal && (
        <>
          <OverviewNotices
            balance={balance}
            preferences={rest.preferences}
            statement={rest.statement}
            hasSpent={glance.has_spent}
            namesLimit={[...attention.now, ...attention.past].some(({ limit }) => limit === 'month')}
          />
          <GettingStarted glance={glance} />
        </>
      )}
      <BalanceCard
        {...{ balance, billing, summary: glance }}
        preferences={rest.preferences}
        limits={rest.limits}
      />
      {rest.running && <RunningJobs initial={rest.running} />}
      {glance.has_called && (
        <>
          <ReportCard
            title="Usage"
            filter={{ billing }}
            periods={OVERVIEW_PERIODS}
            first={{ filter: shown, data: report }}
          />
          <RankedLists
            filter={{ billing }}
            report={{ filter: shown, data: report }}
            errors={{ filter: toErrorsFilter(shown), data: rest.errors }}
          />
        </>
      )}
      <CallsList
        title={`Recent calls, ${periodWords(filter)}`}
        filter={filter}
        first={{ filter: shown, data: calls }}
        wider={
          glance.has_called
            ? {
                by: 'period',
                widen: () => router.push(`/dashboard/usage${writeView({ billing, period: 'all' })}`),
              }
            : undefined
        }
        limit={RECENT_CALLS}
        more={
          <Link
            href={`/dashboard/usage${writeView(filter)}`}
            className="link inline-flex items-center gap-1 text-sm"
          >
            All calls
            <ArrowRight aria-hidden className="size-3.5" />
          </Link>
        }
      />
    </>
  );
}

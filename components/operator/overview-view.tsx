import Link from 'next/link';
import type { ReactNode } from 'react';
import type { Insight } from '@/server/operations/operator/insight/schema';
import type { Overview } from '@/server/operations/operator/schema';
import { formatCount } from '../shared/format';
import { formatBytes } from '../shared/format-bytes';
import { Card, CardBody, CardHeader } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { formatNumber } from '../ui/format-number';
import { Money } from '../ui/money';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { Stat } from '../ui/stat';
import { InsightCard } from './insight-card';
import { LazyRefusalsCard } from './lazy-refusals-card';
import { NextRun } from './next-run';

const GRID = 'grid grid-cols-2 gap-5 sm:grid-cols-3 lg:grid-cols-4';

/** The state of the gateway: problems that need attention first, then figures. */
export function OverviewView({ overview, insight }: { overview: Overview; insight: Insight }) {
  const { accounts, jobs, tools } = overview;
  return (
    <>
      <PageHeader title="Operator" description="Gateway health across all accounts." />
      <Attention overview={overview} />
      <InsightCard initial={insight} />
      <LazyRefusalsCard />
      <MoneyCard overview={overview} />
      <Card>
        <CardHeader title="Accounts and work" />
        <CardBody>
          <dl className={GRID}>
            <Stat
              label="Accounts"
              value={formatNumber(accounts.total)}
              note={`${formatNumber(accounts.provisional)} provisional, ${formatCount(accounts.teams, 'team')}`}
            />
            <Stat label="Active keys" value={formatNumber(overview.active_keys)} />
            <Stat
              label="Jobs"
              value={<To href="/operator/jobs?status=running">{`${jobs.running} running`}</To>}
              note={
                jobs.oldest_at ? (
                  <>
                    {jobs.queued} waiting, oldest <DateTime at={jobs.oldest_at} format="age" />
                  </>
                ) : (
                  `${jobs.queued} waiting`
                )
              }
            />
            <Stat
              label="Tools"
              value={<To href="/operator/tools">{String(tools.total)}</To>}
              note={`${tools.unavailable.length} unavailable`}
            />
          </dl>
        </CardBody>
      </Card>
      <Card>
        <CardHeader title="This gateway" />
        <CardBody>
          <dl className={GRID}>
            <Stat label="Version" value={overview.version} />
            <Stat label="Database" value={formatBytes(overview.database_bytes)} />
            <Stat label="Processes" value={overview.processes} note="listening for notifications" />
          </dl>
          <UntrustedCode confinement={overview.confinement} />
        </CardBody>
      </Card>
    </>
  );
}

function MoneyCard({ overview }: { overview: Overview }) {
  return (
    <Card>
      <CardHeader title="Money" />
      <CardBody>
        <dl className={GRID}>
          <Stat label="Credit outstanding" value={<Money usd={overview.credit_usd} headline />} />
          <Stat label="On hold" value={<Money usd={overview.held_usd} headline />} note="by running calls" />
          <Stat
            label="Outstanding debt"
            value={<Money usd={overview.debt_usd} headline />}
            note={
              <To href="/operator/accounts?status=debt">
                {formatCount(overview.accounts_in_debt, 'account')}
              </To>
            }
          />
          <Stat
            label="Last reconcile"
            value={<LastRun run={overview.reconcile} />}
            note={
              overview.next_reconcile_at ? (
                <>
                  next <NextRun at={overview.next_reconcile_at} />
                </>
              ) : (
                'not scheduled'
              )
            }
          />
        </dl>
      </CardBody>
    </Card>
  );
}

/** The sandboxing of code that parses callers' files, queries and pages. */
function UntrustedCode({ confinement: { protections, warnings } }: Pick<Overview, 'confinement'>) {
  return (
    <div className="mt-5 flex flex-col gap-3">
      <p className="text-sm">
        <span className="text-muted">Untrusted code runs</span> {protections.join(', ')}.
      </p>
      {warnings.length > 0 && (
        <Notice tone="warning" title="Untrusted code is not fully confined on this machine">
          <ul className="mt-1 flex flex-col gap-1">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  );
}

const RUN_WORDS: Record<string, string> = {
  ok: 'Agrees',
  differences: 'Differences',
  failed: 'Failed',
  running: 'Running',
  interrupted: 'Interrupted',
};

function LastRun({ run }: { run: Overview['reconcile'] }) {
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      <To href="/operator/reconcile">{run ? (RUN_WORDS[run.status] ?? run.status) : 'Never run'}</To>
      {run && (
        <span className="font-normal text-muted text-sm">
          <DateTime at={run.at} format="age" />
        </span>
      )}
    </span>
  );
}

function To({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} prefetch={false} className="link">
      {children}
    </Link>
  );
}

/** What needs attention, each with a link. */
function Attention({ overview }: { overview: Overview }) {
  const { jobs, tools, reconcile, accounts } = overview;
  const items: [boolean, string, string][] = [
    [
      overview.failing_jobs.length > 0,
      `Background jobs fail: ${overview.failing_jobs.join(', ')}`,
      '/operator/status',
    ],
    [overview.open_alerts > 0, formatCount(overview.open_alerts, 'open alert'), '/operator/status'],
    [
      overview.failed_webhooks > 0,
      `${formatCount(overview.failed_webhooks, 'webhook')} failed`,
      '/operator/webhooks?state=failed',
    ],
    [
      overview.failed_mails > 0,
      `${formatCount(overview.failed_mails, 'email')} could not be sent`,
      '/operator/webhooks#mails',
    ],
    [jobs.stuck > 0, `${formatCount(jobs.stuck, 'job')} stuck`, '/operator/jobs?status=stuck'],
    [tools.failing.length > 0, `High failure rate: ${tools.failing.join(', ')}`, '/operator/tools?period=1h'],
    [
      reconcile?.status === 'differences' || reconcile?.status === 'failed',
      reconcile?.status === 'failed'
        ? 'The last reconcile failed'
        : `Reconcile found differences: ${reconcile?.differences}`,
      '/operator/reconcile',
    ],
    [
      overview.open_refunds > 0,
      `${formatCount(overview.open_refunds, 'refund')} with unknown outcome`,
      '/operator/audit?action=payment.refund',
    ],
    [
      overview.disputed_accounts > 0,
      `${formatCount(overview.disputed_accounts, 'account')} with an open dispute`,
      '/operator/audit?action=dispute',
    ],
    [
      accounts.frozen > 0,
      `${formatCount(accounts.frozen, 'account')} frozen`,
      '/operator/accounts?status=frozen',
    ],
  ];
  const open = items.filter(([wanted]) => wanted);
  if (open.length === 0) return <Notice tone="success" title="Nothing needs attention" />;
  return (
    <Notice tone="warning" title="Needs attention">
      <ul className="mt-1 flex flex-col gap-1">
        {open.map(([, text, href]) => (
          <li key={text}>
            <To href={href}>{text}</To>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

'use client';

import type { ReconcileList, ReconcileRun } from '@/server/operations/operator/schema';
import { formatCount } from '../shared/format';
import { trpc } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { Card, CardBody, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { Scale } from '../ui/icons';
import { Meter } from '../ui/meter';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { ActDialog } from './act-dialog';
import { listPaging, listProblem } from './pages';
import { OnPhone } from './tool-figures';
import { useReconcileRuns } from './use-reconcile-runs';

const STATUS = {
  running: { tone: 'accent', word: 'Running' },
  interrupted: { tone: 'warning', word: 'Interrupted' },
  ok: { tone: 'success', word: 'Agrees' },
  differences: { tone: 'danger', word: 'Differences' },
  failed: { tone: 'danger', word: 'Failed' },
} as const;

/**
 * Runs reconciliation of balances, ledger, usage and payments, and shows the results of past runs.
 */
export function ReconcileView({ initial }: { initial: ReconcileList }) {
  const query = useReconcileRuns(initial);
  const runs = query.data?.pages.flatMap((page) => page.runs);
  const last = runs?.[0];
  return (
    <>
      <PageHeader
        title="Reconcile"
        description="Checks that balances, holds, ledger, usage, roll-ups and payments agree. It changes nothing."
        actions={
          <>
            <RunDialog askProvider={false} />
            <RunDialog askProvider />
          </>
        }
      />
      {last && <LastRun run={last} />}
      <Card>
        <CardHeader title="Runs" description="Kept for 90 days." />
        <DataTable
          caption="Runs, newest first"
          columns={COLUMNS}
          rows={runs}
          keyOf={({ id }) => id}
          problem={listProblem(query, 'The runs could not be loaded')}
          paging={listPaging(query, runs?.length ?? 0, 'run')}
          empty={
            <EmptyState icon={<Scale />} title="No runs yet">
              Run it now. It also runs automatically, unless RECONCILE_HOURS is 0.
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

function RunDialog({ askProvider }: { askProvider: boolean }) {
  return (
    <ActDialog
      label={askProvider ? 'Run with the provider' : 'Run on the books'}
      variant={askProvider ? 'primary' : 'secondary'}
      size="md"
      title={askProvider ? 'Compare the books with the provider too?' : 'Check the books?'}
      consequence={
        askProvider
          ? 'Every payment is fetched from the payment provider, which may take a while. Traffic is not affected.'
          : 'All data is read from one database snapshot. Traffic is not affected, and the payment provider is not queried.'
      }
      confirmLabel="Run"
      done="Reconcile started"
      act={() => trpc.operator.reconcile.run.mutate({ ask_provider: askProvider })}
    />
  );
}

function LastRun({ run }: { run: ReconcileRun }) {
  if (run.status === 'running')
    return (
      <Card>
        <CardBody className="flex flex-col gap-2">
          <p role="status" className="text-sm">
            {run.checks === 0
              ? 'Started.'
              : run.checks_done < run.checks
                ? `${run.checks_done} of ${run.checks} rules checked.`
                : 'All rules checked. Comparing payments.'}
          </p>
          <Meter
            kind="progress"
            label="Rules checked"
            value={run.checks_done}
            max={Math.max(1, run.checks)}
          />
        </CardBody>
      </Card>
    );
  if (run.status === 'ok')
    return (
      <Notice tone="success" title="The books agree">
        {summary(run)}
      </Notice>
    );
  if (run.status === 'interrupted')
    return (
      <Notice tone="warning" title="The last run was interrupted">
        Its process stopped. Run it again.
      </Notice>
    );
  return (
    <>
      <Notice
        tone="danger"
        title={
          run.status === 'failed' ? 'The last run failed' : formatCount(run.difference_count, 'difference')
        }
      >
        {run.problem ?? summary(run)}
      </Notice>
      {run.differences.length > 0 && <Differences run={run} />}
    </>
  );
}

function summary({ checks, counted, provider_payments }: ReconcileRun): string {
  const counts = Object.entries(counted ?? {}).map(
    ([what, n]) => `${formatNumber(n)} ${what.replaceAll('_', ' ')}`,
  );
  const provider =
    provider_payments === null
      ? 'The provider was not queried.'
      : `${formatNumber(provider_payments)} payments compared with the provider.`;
  return `${checks} rules over ${counts.join(', ')}. ${provider}`;
}

type Difference = ReconcileRun['differences'][number];

const DIFFERENCE_COLUMNS: readonly Column<Difference>[] = [
  { id: 'check', title: 'Rule', phone: 'title', cell: ({ check }) => check },
  {
    id: 'subject',
    title: 'About',
    className: 'break-all font-mono text-xs',
    cell: ({ subject }) => subject,
  },
  { id: 'expected', title: 'Expected', className: 'break-words', cell: ({ expected }) => expected },
  { id: 'actual', title: 'Found', className: 'break-words', cell: ({ actual }) => actual },
];

function Differences({ run }: { run: ReconcileRun }) {
  return (
    <Card>
      <CardHeader
        title="Differences"
        description={
          run.differences.length < run.difference_count
            ? `The first ${run.differences.length} of ${run.difference_count}.`
            : undefined
        }
      />
      <DataTable
        caption="Differences of the last run"
        columns={DIFFERENCE_COLUMNS}
        rows={run.differences}
        keyOf={({ check, subject, actual }) => `${check} ${subject} ${actual}`}
        empty={<EmptyState title="None" />}
      />
    </Card>
  );
}

const COLUMNS: readonly Column<ReconcileRun>[] = [
  {
    id: 'at',
    title: 'When',
    phone: 'title',
    cell: ({ created_at }) => <DateTime at={created_at} format="exact" />,
  },
  {
    id: 'status',
    title: 'Result',
    phone: 'aside',
    cell: ({ status }) => <Badge tone={STATUS[status].tone}>{STATUS[status].word}</Badge>,
  },
  {
    id: 'by',
    title: 'By',
    phone: 'note',
    className: 'break-all text-muted',
    cell: ({ by }) => by.replace(/^operator:/, ''),
  },
  { id: 'rules', title: 'Rules', numeric: true, phone: 'none', cell: ({ checks }) => checks },
  {
    id: 'differences',
    title: 'Differences',
    numeric: true,
    phone: 'figure',
    cell: ({ difference_count }) => (
      <span>
        {formatNumber(difference_count)}
        <OnPhone>{difference_count === 1 ? ' difference' : ' differences'}</OnPhone>
      </span>
    ),
  },
  {
    id: 'provider',
    title: 'Provider',
    phone: 'none',
    className: 'text-muted',
    cell: ({ provider_payments }) =>
      provider_payments === null ? 'Not queried' : `${provider_payments} payments`,
  },
];

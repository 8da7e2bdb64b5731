'use client';

import type { ReactNode } from 'react';
import type { UsageFilter, UsageReport } from '@/server/usage/schema';
import { addUsd, formatCount, formatDuration, formatShare } from '../shared/format';
import { Segmented } from '../shared/segmented';
import { useUrlQuery } from '../shared/use-url-query';
import { Badge } from '../ui/badge';
import { Card, CardHeader } from '../ui/card';
import { Sparkline } from '../ui/chart/sparkline';
import { type Column, DataTable } from '../ui/data-table';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { Activity } from '../ui/icons';
import { Money } from '../ui/money';
import { readSort, sortRows, writeSort } from '../ui/table-sort';
import { FoldedRows } from './folded-rows';
import { toReportFilter, writeView } from './view';

/** A row of a breakdown by any dimension. */
interface Line {
  id: string;
  name: string;
  /** Next to the name, such as a badge or the key's owner. */
  note?: ReactNode;
  calls: number;
  failed: number;
  cost_usd: number;
  avg_latency_ms?: number | null;
  /** Calls over time, for tools and keys. */
  trend?: readonly number[];
  /** The usage view filtered to this row. */
  href: string | null;
}

const BY_WORDS = { tool: 'Tool', key: 'Key', member: 'Member', account: 'Charged to' } as const;
type By = keyof typeof BY_WORDS;

const FOLDED_ROWS = 8;

interface BreakdownProps {
  report: UsageReport;
  filter: UsageFilter;
  /** The available dimensions; the first one is the default. */
  offer: readonly [By, ...By[]];
  stale?: boolean;
}

/**
 * Spending by tool, key, member or account, each row linked to its calls. Dimension and order are
 * in the URL.
 */
export function Breakdown({ report, filter, offer, stale }: BreakdownProps) {
  const [get, set] = useUrlQuery();
  const by = offer.find((each) => each === get('by')) ?? offer[0];
  const columns = buildColumns(by, report);
  const sort = readSort(get('sort'), columns);
  const rows = sortRows(buildLines(by, report, filter), sort, columns);
  return (
    <Card>
      <CardHeader
        title={`By ${by === 'account' ? 'account' : BY_WORDS[by].toLowerCase()}`}
        description={
          by === 'key' && report.keys_left_out > 0
            ? `The 100 keys with the highest spend; ${formatCount(report.keys_left_out, 'other')} in one row.`
            : undefined
        }
        actions={
          offer.length > 1 && (
            <Segmented
              legend="Break down by"
              value={by}
              options={offer.map((each) => ({ value: each, label: BY_WORDS[each] }))}
              onValueChange={(next) => set({ by: next === offer[0] ? null : next, sort: null })}
            />
          )
        }
      />
      <FoldedRows rows={rows} most={FOLDED_ROWS}>
        {(shown) => (
          <DataTable
            caption={`Usage by ${by}`}
            columns={columns}
            rows={shown}
            keyOf={(line) => line.id}
            hrefOf={(line) => line.href}
            sort={sort ?? { by: 'spend', direction: 'desc' }}
            onSort={(next) => set({ sort: writeSort(next) })}
            total={rows.length > 1 ? sumLines(report) : undefined}
            stale={stale}
            empty={<EmptyState icon={<Activity />} title="Nothing in this period" />}
          />
        )}
      </FoldedRows>
    </Card>
  );
}

const number = { numeric: true, descendingFirst: true } as const;

const TREND: Column<Line> = {
  id: 'trend',
  title: 'Calls over time',
  phone: 'none',
  className: 'w-32',
  cell: (line) =>
    line.trend && <Sparkline values={line.trend} label={`Calls of ${line.name} over time`} className="h-5" />,
};

const AVERAGE_TIME: Column<Line> = {
  id: 'time',
  title: 'Average duration',
  ...number,
  sortBy: (line) => line.avg_latency_ms ?? null,
  phone: 'none',
  cell: (line) => (line.avg_latency_ms == null ? '—' : formatDuration(line.avg_latency_ms)),
};

function buildColumns(by: By, report: UsageReport): Column<Line>[] {
  const { cost_usd: cost, calls } = report.totals;
  return [
    {
      id: 'name',
      title: BY_WORDS[by],
      sortBy: (line) => line.name,
      cell: (line) => (
        <span className="flex min-w-0 flex-wrap items-center gap-x-2">
          <span className="min-w-0 break-words">{line.name}</span>
          {line.note}
        </span>
      ),
    },
    {
      id: 'calls',
      title: 'Calls',
      ...number,
      sortBy: (line) => line.calls,
      phone: 'note',
      cell: (line) => <Count of={line.calls} />,
    },
    {
      id: 'failed',
      title: 'Failed',
      ...number,
      sortBy: (line) => line.failed,
      phone: 'none',
      cell: (line) => formatNumber(line.failed),
    },
    ...(by === 'tool' || by === 'key' ? [TREND] : []),
    ...(by === 'tool' ? [AVERAGE_TIME] : []),
    {
      id: 'spend',
      title: 'Spend',
      ...number,
      sortBy: (line) => line.cost_usd,
      phone: 'figure',
      usd: (line) => line.cost_usd,
      cell: (line, decimals) => <Money usd={line.cost_usd} exact decimals={decimals} />,
    },
    {
      id: 'share',
      title: 'Share',
      numeric: true,
      phone: 'aside',
      className: 'text-muted',
      cell: (line) =>
        cost > 0 ? formatShare(line.cost_usd, cost) : formatShare(line.calls, Math.max(1, calls)),
    },
  ];
}

function Count({ of }: { of: number }) {
  return (
    <span>
      {formatNumber(of)}
      <span className="text-muted sm:hidden">{of === 1 ? ' call' : ' calls'}</span>
    </span>
  );
}

/** The row of the sums: what the figures of the report say. */
function sumLines({ totals: { calls, failed, cost_usd, avg_latency_ms } }: UsageReport): Line {
  return { id: 'total', name: 'Total', calls, failed, cost_usd, avg_latency_ms, href: null };
}

/** The keys that the report leaves out, as one row, so that the rows add up. */
function listOtherKeys({ by_key: keys, keys_left_out: leftOut, totals }: UsageReport): Line[] {
  if (leftOut === 0) return [];
  return [
    {
      id: 'others',
      name: formatCount(leftOut, 'other key'),
      calls: keys.reduce((rest, { calls }) => rest - calls, totals.calls),
      failed: keys.reduce((rest, { failed }) => rest - failed, totals.failed),
      cost_usd: keys.reduce((rest, { cost_usd: usd }) => addUsd(rest, -usd), totals.cost_usd),
      href: null,
    },
  ];
}

function buildLines(by: By, report: UsageReport, filter: UsageFilter): Line[] {
  // A row sums calls with any id and error code.
  const sums = toReportFilter(filter);
  const view = (change: UsageFilter) => `/dashboard/usage${writeView({ ...sums, ...change })}`;
  switch (by) {
    case 'tool':
      return report.by_tool.map((row) => ({
        ...row,
        id: row.tool,
        name: row.tool,
        href: view({ tool: row.tool }),
      }));
    case 'key':
      return [
        ...report.by_key.map((row) => ({
          ...row,
          id: row.key_id,
          note: row.kind === null && <Badge>Deleted</Badge>,
          href: view({ key_id: row.key_id }),
        })),
        ...listOtherKeys(report),
      ];
    case 'member':
      return (report.by_member ?? []).map((row) => ({
        ...row,
        id: row.user_id ?? 'gone',
        href: row.user_id === null ? null : view({ member: row.user_id }),
      }));
    case 'account':
      return (report.by_account ?? []).map((row) => ({
        ...row,
        name: row.slug === null ? 'Personal' : row.name,
        href: view({ billing: row.slug ?? undefined }),
      }));
  }
}

'use client';

import type { ReactNode } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { KeySpend } from '@/server/usage/schema';
import { formatCount } from '../shared/format';
import { findKeyState, type KeysSituation, rankKeyState, readSituations } from '../shared/key-state';
import { KeyStatus } from '../shared/key-status';
import type { KeySpendPeriod } from '../shared/period';
import { type Column, DataTable, type TableProblem } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { lazyOverlay } from '../ui/lazy-overlay';
import { Money } from '../ui/money';
import { Skeleton } from '../ui/skeleton';
import type { Sort } from '../ui/table-sort';
import { KeyActions } from './key-actions';
import { KeyMarks } from './key-marks';
import { TightestLimit, usedShare } from './tightest-limit';

/** Loaded only for keys whose calls are refused. */
const BlockedLine = lazyOverlay(() => import('./blocked-line').then((module) => module.BlockedLine));

export const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  {
    id: 'name',
    title: 'Name',
    sortBy: (key) => key.name,
    cell: (key) => (
      <>
        <span className="wrap-anywhere block sm:min-w-36">{key.name}</span>
        <span className="block whitespace-nowrap font-mono font-normal text-muted text-xs">
          {key.key_prefix}
        </span>
        <KeyMarks apiKey={key} />
      </>
    ),
  },
  {
    id: 'used',
    title: 'Tightest limit',
    sortBy: usedShare,
    descendingFirst: true,
    cell: (key) => <TightestLimit apiKey={key} />,
  },
  {
    id: 'last',
    title: 'Last call',
    time: 'coarse',
    sortBy: (key) => key.last_used_at,
    descendingFirst: true,
    phone: 'note',
    cell: (key) =>
      key.last_used_at ? (
        <span className="max-sm:text-muted">
          <span className="sm:hidden">Last call </span>
          <DateTime at={key.last_used_at} format="age" />
        </span>
      ) : (
        <span className="text-muted">
          None<span className="sm:hidden"> yet</span>
        </span>
      ),
  },
  {
    id: 'created',
    title: 'Created',
    time: 'coarse',
    sortBy: (key) => key.created_at,
    descendingFirst: true,
    phone: 'none',
    cell: (key) => <DateTime at={key.created_at} format="date" />,
  },
];

export function buildStatusColumn(situation: KeysSituation): Column<ApiKey> {
  const of = readSituations(situation);
  return {
    id: 'status',
    title: 'Status',
    phone: 'aside',
    // Ascending: those that are stopped first.
    sortBy: (key) => rankKeyState(findKeyState(key, of(key))),
    cell: (key) => {
      const each = of(key);
      return (
        <div className="max-sm:text-right sm:max-w-44">
          <KeyStatus apiKey={key} {...each} />
          {each.blocked && <BlockedLine blocked={each.blocked} />}
        </div>
      );
    },
  };
}

const PERIOD_WORDS = {
  '30d': '30 days (UTC)',
  '7d': '7 days (UTC)',
  '24h': '24 hours',
  mtd: 'this month (UTC)',
} as const;

/** @param spend undefined while it loads */
function buildSpendColumn(spend: KeySpend | undefined, period: KeySpendPeriod): Column<ApiKey> {
  const costs = new Map(spend?.keys.map(({ key_id, cost_usd: cost }) => [key_id, cost]));
  return {
    id: 'spent',
    title: `Spent, ${PERIOD_WORDS[period]}`,
    numeric: true,
    descendingFirst: true,
    sortBy: ({ id }) => costs.get(id) ?? 0,
    cell: ({ id }) => (spend ? <Money usd={costs.get(id) ?? 0} /> : <Skeleton className="h-4 w-12" />),
  };
}

/** All columns of the list of keys, without the actions. */
export function buildKeyColumns(
  situation: KeysSituation,
  spend: KeySpend | undefined,
  period: KeySpendPeriod,
): Column<ApiKey>[] {
  const spent = buildSpendColumn(spend, period);
  const columns = KEY_COLUMNS.flatMap((column) => (column.id === 'name' ? [column, spent] : [column]));
  return [...columns, buildStatusColumn(situation)];
}

function actionsColumn(team: boolean): Column<ApiKey> {
  return {
    id: 'actions',
    title: 'Actions',
    titleHidden: true,
    phone: 'corner',
    className: 'text-right',
    cell: (key) => <KeyActions apiKey={key} team={team} />,
  };
}

interface KeysTableProps {
  /** A team owns the keys. */
  team: boolean;
  /** Without it, the rows have no actions. */
  canChange: boolean;
  columns: readonly Column<ApiKey>[];
  /** All keys, in order. */
  keys: readonly ApiKey[];
  /** The number of rows shown. */
  rows: number;
  onMore: () => void;
  sort: Sort;
  onSort: (sort: Sort) => void;
  empty: ReactNode;
  problem: TableProblem | null;
}

export function KeysTable({
  team,
  canChange,
  columns,
  keys,
  rows,
  onMore,
  sort,
  onSort,
  empty,
  problem,
}: KeysTableProps) {
  return (
    <DataTable
      caption="Keys"
      columns={canChange ? [...columns, actionsColumn(team)] : columns}
      rows={keys.slice(0, rows)}
      keyOf={(key) => key.id}
      hrefOf={(key) => `/dashboard/keys/${key.id}`}
      sort={sort}
      onSort={onSort}
      empty={empty}
      problem={problem}
      paging={
        keys.length > rows
          ? {
              hasMore: true,
              loading: false,
              onLoadMore: onMore,
              shown: `${rows} of ${formatCount(keys.length, 'key')}`,
            }
          : undefined
      }
    />
  );
}

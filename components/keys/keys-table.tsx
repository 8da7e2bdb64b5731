'use client';

import type { ReactNode } from 'react';
import type { ApiKey } from '@/server/identity/keys/schema';
import type { BlockedKey } from '@/server/usage/schema';
import { formatCount } from '../shared/format';
import { KeyStatus } from '../shared/key-status';
import { type Column, DataTable, type TableProblem } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { lazyOverlay } from '../ui/lazy-overlay';
import type { Sort } from '../ui/table-sort';
import { KeyActions } from './key-actions';
import { KeyAllowance } from './key-allowance';
import { KeyMarks } from './key-marks';

/** Loaded only for keys whose calls are refused. */
const BlockedLine = lazyOverlay(() => import('./blocked-line').then((module) => module.BlockedLine));

export const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  {
    id: 'name',
    title: 'Name',
    sortBy: (key) => key.name,
    cell: (key) => (
      <>
        <span className="block break-words">{key.name}</span>
        <span className="block font-mono font-normal text-muted text-xs">{key.key_prefix}</span>
        <KeyMarks apiKey={key} />
      </>
    ),
  },
  {
    id: 'used',
    title: 'Credit used',
    sortBy: (key) => key.credits_used,
    descendingFirst: true,
    cell: (key) => <KeyAllowance apiKey={key} />,
  },
  {
    id: 'last',
    title: 'Last used',
    time: 'coarse',
    sortBy: (key) => key.last_used_at,
    descendingFirst: true,
    phone: 'note',
    cell: (key) =>
      key.last_used_at ? (
        <span className="max-sm:text-muted">
          <span className="sm:hidden">Used </span>
          <DateTime at={key.last_used_at} format="age" />
        </span>
      ) : (
        <span className="text-muted">
          Never<span className="sm:hidden"> used</span>
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

export function buildStatusColumn(blocked: readonly BlockedKey[]): Column<ApiKey> {
  const limits = new Map(blocked.map((limit) => [limit.key_id, limit]));
  return {
    id: 'status',
    title: 'Status',
    phone: 'aside',
    cell: (key) => {
      const limit = key.status === 'active' ? limits.get(key.id) : undefined;
      return (
        <>
          <KeyStatus apiKey={key} blocked={limit} />
          {limit && <BlockedLine blocked={limit} />}
        </>
      );
    },
  };
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
  /** The keys whose calls a limit refuses now. */
  blocked: readonly BlockedKey[];
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
  blocked,
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
      columns={[...KEY_COLUMNS, buildStatusColumn(blocked), ...(canChange ? [actionsColumn(team)] : [])]}
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

'use client';

import type { UsageErrors, UsageFilter } from '@/server/usage/schema';
import { formatCount, formatShare } from '../shared/format';
import { useUrlQuery } from '../shared/use-url-query';
import { Card, CardHeader } from '../ui/card';
import { Sparkline } from '../ui/chart/sparkline';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { IntentLink } from '../ui/intent-link';
import { readSort, sortRows, writeSort } from '../ui/table-sort';
import { codeWords } from './code-words';
import { findErrorRemedy } from './error-remedy';
import { FoldedRows } from './folded-rows';
import { errorsHref } from './view';

type Row = UsageErrors['errors'][number];

const FOLDED_ROWS = 10;

interface ErrorRowsProps {
  errors: UsageErrors;
  filter: UsageFilter;
  stale: boolean;
}

/** Failed calls by tool and code, each row linked to its calls. The order is in the URL. */
export function ErrorRows({ errors, filter, stale }: ErrorRowsProps) {
  const [get, set] = useUrlQuery();
  const columns = buildColumns(errors.failed, filter);
  const sort = readSort(get('sort'), columns);
  const rows = sortRows(errors.errors, sort, columns);
  return (
    <Card>
      <CardHeader
        title="By tool and code"
        description={
          errors.errors_left_out > 0
            ? `The ${rows.length} most frequent; ${formatNumber(errors.errors_left_out)} more.`
            : undefined
        }
      />
      <FoldedRows rows={rows} most={FOLDED_ROWS}>
        {(shown) => (
          <DataTable
            caption="Errors by tool and code"
            columns={columns}
            rows={shown}
            keyOf={nameRow}
            hrefOf={({ tool, error_code }) => errorsHref({ ...filter, tool, error_code })}
            sort={sort ?? { by: 'calls', direction: 'desc' }}
            onSort={(next) => set({ sort: writeSort(next) })}
            stale={stale}
            empty={<EmptyState title="No failed calls" />}
          />
        )}
      </FoldedRows>
    </Card>
  );
}

function nameRow({ tool, error_code: code }: Row): string {
  return `${tool} ${codeWords(code)}`;
}

const number = { numeric: true, descendingFirst: true } as const;

function buildColumns(failed: number, filter: UsageFilter): Column<Row>[] {
  return [
    {
      id: 'error',
      title: 'Tool and code',
      sortBy: nameRow,
      phone: 'title',
      cell: ({ tool, error_code: code }) => (
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
          <span className="break-all">{tool}</span>
          <code className="break-all font-mono font-normal text-sm">{codeWords(code)}</code>
        </span>
      ),
    },
    {
      id: 'calls',
      title: 'Failed calls',
      ...number,
      sortBy: ({ calls }) => calls,
      phone: 'figure',
      cell: ({ calls }) => (
        <span>
          {formatNumber(calls)}
          <span className="text-muted sm:hidden">{calls === 1 ? ' call' : ' calls'}</span>
        </span>
      ),
    },
    {
      id: 'share',
      title: 'Share',
      numeric: true,
      phone: 'none',
      className: 'text-muted',
      cell: ({ calls }) => formatShare(calls, failed),
    },
    {
      id: 'keys',
      title: 'Keys',
      ...number,
      sortBy: ({ keys }) => keys,
      phone: 'note',
      cell: ({ keys }) => (
        <span>
          <span className="max-sm:hidden">{formatNumber(keys)}</span>
          <span className="text-muted sm:hidden">{formatCount(keys, 'key')}</span>
        </span>
      ),
    },
    {
      id: 'trend',
      title: 'Over time',
      phone: 'none',
      className: 'w-32',
      cell: (row) => (
        <Sparkline values={row.trend} label={`Failed calls of ${nameRow(row)} over time`} className="h-5" />
      ),
    },
    {
      id: 'last',
      title: 'Last seen',
      time: true,
      ...number,
      sortBy: ({ last_at: at }) => at,
      phone: 'aside',
      className: 'text-muted',
      cell: ({ last_at: at }) => <DateTime at={at} />,
    },
    {
      id: 'remedy',
      title: 'What to do',
      phone: 'line',
      className: 'max-sm:before:hidden sm:w-56',
      cell: (row) => <Remedy row={row} filter={filter} />,
    },
  ];
}

/** What helps, and where: on a phone below the figures. */
function Remedy({ row, filter }: { row: Row; filter: UsageFilter }) {
  const { text, href, label } = findErrorRemedy(row, filter);
  return (
    <span className="min-w-0 text-left text-sm">
      <span className="block text-muted text-xs">{text}</span>
      <IntentLink href={href} className="link inline-block py-0.5">
        {label}
      </IntentLink>
    </span>
  );
}

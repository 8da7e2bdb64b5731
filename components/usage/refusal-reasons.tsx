'use client';

import { type ReactNode, useState } from 'react';
import type { RefusalReport } from '@/server/usage/refusals-schema';
import type { UsageFilter } from '@/server/usage/schema';
import { findRefusalCause, findRemedyLink } from '../shared/refusal-cause';
import { useUrlQuery } from '../shared/use-url-query';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { buttonClass } from '../ui/button-class';
import { Card, CardHeader } from '../ui/card';
import { cn } from '../ui/cn';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { formatNumber } from '../ui/format-number';
import { ChevronRight } from '../ui/icons';
import { IntentLink } from '../ui/intent-link';
import { Td, Tr } from '../ui/table';
import { readSort, sortRows, writeSort } from '../ui/table-sort';
import { FoldedRows } from './folded-rows';
import { RefusedRequests } from './refused-requests';

type Row = RefusalReport['by_reason'][number];

/** Rows before the rest is folded: on a phone, a row has the height of a thumb's width or two. */
const FOLDED_ROWS = 8;

interface RefusalReasonsProps {
  title: string;
  /** The calls are of one key, which the rows do not repeat. */
  ofKey?: boolean;
  /** A link next to the title. */
  more?: ReactNode;
  report: RefusalReport;
  filter: UsageFilter;
  stale: boolean;
}

/**
 * Refused calls by key and reason, the last refused first, each with what to do. A row opens its
 * last requests. The order is in the URL.
 */
export function RefusalReasons({ title, ofKey, more, report, filter, stale }: RefusalReasonsProps) {
  const [get, set] = useUrlQuery();
  const { by_reason: reasons, reasons_left_out: leftOut } = report;
  // A link to one reason leads to its messages.
  const [open, setOpen] = useState<ReadonlySet<string>>(
    new Set(filter.error_code !== undefined && reasons.length === 1 ? reasons.map(nameRow) : []),
  );
  const toggle = (id: string) => setOpen((all) => new Set(all.has(id) ? without(all, id) : [...all, id]));
  const columns = buildColumns({ open, toggle, billing: filter.billing, last: report.last }).filter(
    ({ id }) => !(ofKey && id === 'key'),
  );
  const sort = readSort(get('sort'), columns);
  return (
    <Card>
      <CardHeader
        title={title}
        actions={more}
        description={
          leftOut > 0 ? `The ${reasons.length} refused last; ${formatNumber(leftOut)} more.` : undefined
        }
      />
      <FoldedRows rows={sortRows(reasons, sort, columns)} most={FOLDED_ROWS}>
        {(shown) => (
          <DataTable
            caption={ofKey ? 'Refused calls by reason' : 'Refused calls by key and reason'}
            columns={columns}
            rows={shown}
            keyOf={nameRow}
            after={(row) =>
              open.has(nameRow(row)) && (
                <Tr className="bg-sunken">
                  <Td colSpan={columns.length} className="max-sm:block">
                    <RefusedRequests row={row} last={report.last} filter={filter} />
                  </Td>
                </Tr>
              )
            }
            sort={sort ?? { by: 'last', direction: 'desc' }}
            onSort={(next) => set({ sort: writeSort(next) })}
            stale={stale}
            empty={<EmptyState title="No refused calls" />}
          />
        )}
      </FoldedRows>
    </Card>
  );
}

function without(all: ReadonlySet<string>, id: string): string[] {
  return [...all].filter((each) => each !== id);
}

function nameRow({ key_id: id, error_code: code, limit }: Row): string {
  return `${id} ${code} ${limit}`;
}

const number = { numeric: true, descendingFirst: true } as const;

interface RowActs {
  open: ReadonlySet<string>;
  toggle: (id: string) => void;
  billing: string | undefined;
  last: RefusalReport['last'];
}

/** The skill that the last of these calls named, if all are of one tool. */
function findSkill(row: Row, last: RefusalReport['last']): string | null {
  const found = last.find(
    ({ key_id: id, error_code: code, tool }) =>
      id === row.key_id && code === row.error_code && tool === row.tool,
  );
  return found?.skill || null;
}

function buildColumns({ open, toggle, billing, last }: RowActs): Column<Row>[] {
  return [
    {
      id: 'reason',
      title: 'Reason',
      head: true,
      phone: 'title',
      className: 'font-normal',
      sortBy: (row) => row.error_code,
      cell: (row) => <Reason row={row} open={open.has(nameRow(row))} onToggle={() => toggle(nameRow(row))} />,
    },
    {
      id: 'key',
      title: 'Key',
      phone: 'note',
      className: 'sm:max-w-44',
      sortBy: (row) => row.key_name,
      cell: (row) => <KeyName row={row} />,
    },
    {
      id: 'refused',
      title: 'Refused',
      ...number,
      sortBy: (row) => row.refused,
      phone: 'figure',
      cell: (row) => (
        <span className="font-medium">
          {formatNumber(row.refused)}
          <span className="font-normal text-muted sm:hidden"> refused</span>
        </span>
      ),
    },
    {
      id: 'first',
      title: 'First',
      ...number,
      sortBy: (row) => row.first_at,
      phone: 'none',
      className: 'text-muted',
      cell: (row) => <DateTime at={row.first_at} format="log-minute" />,
    },
    {
      id: 'last',
      title: 'Last',
      time: true,
      ...number,
      sortBy: (row) => row.last_at,
      phone: 'aside',
      className: 'text-muted',
      cell: (row) => <DateTime at={row.last_at} />,
    },
    {
      id: 'remedy',
      title: 'What to do',
      phone: 'line',
      titleHidden: false,
      className: 'max-sm:before:hidden sm:w-44',
      cell: (row) => (
        <Remedy
          row={row}
          skill={findSkill(row, last)}
          billing={billing}
          onOpen={() => toggle(nameRow(row))}
        />
      ),
    },
  ];
}

function Reason({ row, open, onToggle }: { row: Row; open: boolean; onToggle: () => void }) {
  const { error_code: code, limit } = row;
  return (
    <button
      type="button"
      data-row-main
      aria-expanded={open}
      onClick={onToggle}
      className="-ml-1 flex min-w-0 items-start gap-1.5 rounded-sm px-1 py-0.5 text-left hover:bg-hover"
    >
      <ChevronRight
        aria-hidden
        className={cn('mt-0.5 size-4 shrink-0 text-muted transition-transform', open && 'rotate-90')}
      />
      <span className="min-w-0">
        <span className="block break-words font-medium text-sm">{findRefusalCause(row).title}</span>
        <span className="block text-muted text-xs">
          <code className="font-mono">{code}</code>
          {limit !== null && ` · limit: ${limit}`}
        </span>
      </span>
    </button>
  );
}

function KeyName({ row: { key_id: id, key_name: name, kind } }: { row: Row }) {
  if (id === null || kind !== 'api')
    return (
      <span className="min-w-0 break-words">
        {name} {kind === null && id !== null && <Badge>Deleted</Badge>}
      </span>
    );
  return (
    <IntentLink href={`/dashboard/keys/${id}`} className="link min-w-0 break-words py-0.5">
      {name}
    </IntentLink>
  );
}

/** The cause is gone: by a change, the limit has reset, or a later call ran. */
function Repaired({ at, reset }: { at: string | null; reset: boolean }) {
  return (
    <span className="text-muted text-xs">
      {reset ? 'Limit reset ' : 'Repaired '}
      {at === null ? 'by a later call' : <DateTime at={at} format="log-minute" />}
    </span>
  );
}

interface RemedyProps {
  row: Row;
  /** Of its last call. */
  skill: string | null;
  billing: string | undefined;
  onOpen: () => void;
}

function Remedy({ row, skill, billing, onOpen }: RemedyProps) {
  if (row.repaired) return <Repaired {...row.repaired} />;
  const { place, act, remedy } = findRefusalCause(row);
  const link = findRemedyLink({ ...row, skill }, billing);
  return (
    <span className="flex min-w-0 flex-col items-start gap-1">
      {row.in_force && (
        <span className="text-warning text-xs">
          Refuses now
          {row.in_force.retry_at !== null && (
            <>
              , until <DateTime at={row.in_force.retry_at} format="log-minute" />
            </>
          )}
          {row.in_force.refused > 0 && row.in_force.refused < row.refused && (
            <>
              : {formatNumber(row.in_force.refused)} since{' '}
              <DateTime at={row.in_force.since} format="log-minute" />
            </>
          )}
        </span>
      )}
      {link ? (
        <IntentLink href={link.href} title={remedy} className={buttonClass({ size: 'sm' })}>
          {link.label}
        </IntentLink>
      ) : place === 'message' ? (
        <Button size="sm" title={remedy} onClick={onOpen}>
          {act}
        </Button>
      ) : (
        <span className="text-muted text-xs">{remedy}</span>
      )}
    </span>
  );
}

'use client';

import Link from 'next/link';
import type { AuditList, AuditRow } from '@/server/operations/operator/schema';
import { trpc } from '../shared/trpc-provider';
import { useDebounced } from '../shared/use-debounced';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateRangeFilter } from '../ui/date-range-filter';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Filter } from '../ui/filter';
import { ScrollText } from '../ui/icons';
import { Input } from '../ui/input';
import { PageHeader } from '../ui/page-header';
import { readSort, SORTED_BY_SERVER, writeSort } from '../ui/table-sort';
import { TableTools } from '../ui/table-tools';
import { readAuditFilters } from './audit-filters';
import { describeAction, describeActor, describeDetail } from './audit-words';
import { listPaging, listProblem, usePages } from './pages';
import { NEWEST_FIRST, readTimeSort } from './time-sort';

const TYPING_PAUSE_MS = 250;
const FIELDS = [
  { name: 'actor', label: 'Who', placeholder: 'Email, key or operator' },
  { name: 'action', label: 'Action', placeholder: 'account.freeze' },
  { name: 'account', label: 'Account', placeholder: 'Email, name or id' },
] as const;

const COLUMNS: readonly Column<AuditRow>[] = [
  {
    id: 'action',
    title: 'Action',
    phone: 'title',
    className: 'wrap-anywhere',
    cell: ({ action, details }) => (
      <>
        <span className="block">{describeAction(action)}</span>
        <Details details={details} />
        <span className="block font-mono font-normal text-muted text-xs">{action}</span>
      </>
    ),
  },
  {
    id: 'actor',
    title: 'Who',
    phone: 'note',
    className: 'wrap-anywhere sm:min-w-36 xl:min-w-52',
    cell: ({ actor, actor_name }) => <Actor actor={actor} name={actor_name} />,
  },
  {
    id: 'subject',
    title: 'Account and subject',
    phone: 'line',
    className: 'wrap-anywhere sm:min-w-40 xl:min-w-64',
    cell: ({ account_id, account_name, target, target_name }) => (
      <span className="flex min-w-0 flex-col">
        {account_id && (
          <Link
            href={`/operator/accounts/${account_id}`}
            prefetch={false}
            className="link"
            title={account_id}
          >
            {account_name ?? account_id}
          </Link>
        )}
        {target && target !== account_id && (
          <span className="text-muted text-xs" title={target}>
            {target_name ?? target}
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'created',
    title: 'When',
    time: true,
    descendingFirst: true,
    sortBy: SORTED_BY_SERVER,
    phone: 'aside',
    className: 'text-muted',
    cell: ({ at }) => <DateTime at={at} />,
  },
  {
    id: 'request',
    title: 'Request',
    phone: 'none',
    className: 'max-w-24 truncate font-mono text-muted text-xs',
    cell: ({ request_id }) => <span title={request_id ?? undefined}>{request_id ?? '—'}</span>,
  },
];

/** The audit log: who did what to which account. */
export function AuditView({ initial }: { initial: AuditList }) {
  const [get, set] = useUrlQuery();
  const written = JSON.stringify(readAuditFilters(get));
  const filters = JSON.parse(useDebounced(written, TYPING_PAUSE_MS)) as ReturnType<typeof readAuditFilters>;
  const sort = readTimeSort(get);
  const view = { ...filters, sort };
  const query = usePages(
    'audit',
    view,
    (cursor, signal) => trpc.operator.audit.query({ ...view, cursor }, { signal }),
    initial,
  );
  const events = query.data?.pages.flatMap((page) => page.events);
  const filtered = Object.values(filters).some(Boolean);
  const clear = () => set({ actor: null, action: null, account: null, from: null, to: null });
  const csv = new URLSearchParams(
    Object.entries(filters).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  ).toString();
  return (
    <>
      <PageHeader
        title="Audit"
        description="Who did what to which account, including operator views. Entries cannot be changed or removed."
      />
      <Card>
        <TableTools
          onClear={filtered ? clear : undefined}
          csvHref={`/operator/audit/audit.csv${csv ? `?${csv}` : ''}`}
        >
          {FIELDS.map(({ name, label, placeholder }) => (
            <Filter key={name} label={label} className="sm:w-48">
              {(id) => (
                <Input
                  id={id}
                  placeholder={placeholder}
                  autoComplete="off"
                  value={get(name) ?? ''}
                  onChange={(event) => set({ [name]: event.target.value }, 'typed')}
                />
              )}
            </Filter>
          ))}
          <DateRangeFilter
            label="Dates (UTC)"
            all="Any time"
            className="max-sm:col-span-2 sm:w-60"
            value={filters}
            onChange={set}
          />
        </TableTools>
        <DataTable
          caption="Audit log"
          columns={COLUMNS}
          rows={events}
          keyOf={({ id }) => id}
          sort={readSort(sort ?? null, COLUMNS) ?? NEWEST_FIRST}
          onSort={(next) => set({ sort: writeSort(next) })}
          stale={query.isPlaceholderData}
          problem={listProblem(query, 'The audit log could not be loaded')}
          paging={listPaging(query, events?.length ?? 0, 'entry', 'entries')}
          empty={
            <EmptyState
              icon={<ScrollText />}
              title="No entries match these filters"
              action={filtered ? <Button onClick={clear}>Show all entries</Button> : undefined}
            />
          }
        />
      </Card>
    </>
  );
}

/** By name; the id is in the title, and in the file. */
function Actor({ actor, name }: { actor: string; name: string | null }) {
  const { label, id } = describeActor(actor);
  return (
    <span className="min-w-0" title={actor}>
      <span className="block">{name ?? id ?? label}</span>
      {id && <span className="block text-muted text-xs">{label}</span>}
    </span>
  );
}

function Details({ details }: { details: AuditRow['details'] }) {
  const text = Object.entries(details).map(([name, value]) => describeDetail(name, value));
  if (text.length === 0) return null;
  return <span className="block font-normal text-muted text-xs wrap-anywhere">{text.join(', ')}</span>;
}

'use client';

import type { AccountList, AccountRow } from '@/server/operations/operator/schema';
import { trpc } from '../shared/trpc-provider';
import { useDebounced } from '../shared/use-debounced';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { SelectFilter } from '../ui/filter';
import { SearchX } from '../ui/icons';
import { Money } from '../ui/money';
import { PageHeader } from '../ui/page-header';
import { SearchInput } from '../ui/search-input';
import { readSort, SORTED_BY_SERVER, writeSort } from '../ui/table-sort';
import { TableTools } from '../ui/table-tools';
import { ACCOUNT_STATUSES, readAccountFilters, searchWord } from './account-filters';
import { accountName } from './account-name';
import { AccountState } from './account-state';
import { listPaging, listProblem, usePages } from './pages';
import { NEWEST_FIRST } from './time-sort';

const TYPING_PAUSE_MS = 250;

const COLUMNS: readonly Column<AccountRow>[] = [
  {
    id: 'account',
    title: 'Account',
    phone: 'title',
    // Between phone and tablet widths, the five columns fit only if this one shrinks.
    className: 'max-w-72 sm:max-md:max-w-44',
    cell: (account) => (
      <>
        <span className="block truncate">{accountName(account)}</span>
        {account.type === 'team' && (
          <span className="block truncate font-normal text-muted text-xs">
            {[account.slug, account.email].filter(Boolean).join(' · ')}
          </span>
        )}
        <span className="block truncate font-mono font-normal text-muted text-xs">{account.account_id}</span>
      </>
    ),
  },
  { id: 'state', title: 'State', phone: 'note', cell: (account) => <AccountState account={account} /> },
  {
    id: 'balance',
    title: 'Balance',
    numeric: true,
    descendingFirst: true,
    sortBy: SORTED_BY_SERVER,
    phone: 'figure',
    cell: ({ balance_usd, debt_usd }) => (
      <Money usd={balance_usd - debt_usd} down={balance_usd >= debt_usd} />
    ),
  },
  {
    id: 'spent',
    title: 'Spend, 30 days',
    numeric: true,
    descendingFirst: true,
    sortBy: SORTED_BY_SERVER,
    phone: 'none',
    usd: ({ spent_30d_usd }) => spent_30d_usd,
    cell: ({ spent_30d_usd }, decimals) => (
      <Money
        usd={spent_30d_usd}
        exact
        decimals={decimals}
        className={spent_30d_usd === 0 ? 'text-muted' : undefined}
      />
    ),
  },
  {
    id: 'created',
    title: 'Created',
    time: 'coarse',
    descendingFirst: true,
    sortBy: SORTED_BY_SERVER,
    phone: 'aside',
    className: 'text-muted',
    cell: ({ created_at }) => <DateTime at={created_at} format="date" />,
  },
];

/** All accounts, with search. */
export function AccountsView({ initial }: { initial: AccountList }) {
  const [get, set] = useUrlQuery();
  const filters = readAccountFilters(get);
  const q = useDebounced(filters.q ?? '', TYPING_PAUSE_MS);
  const sort = readSort(get('sort'), COLUMNS);
  const view = { ...filters, q: q || undefined };
  const query = usePages(
    'accounts',
    view,
    (cursor, signal) => trpc.operator.accounts.list.query({ ...view, cursor }, { signal }),
    initial,
  );
  const accounts = query.data?.pages.flatMap((page) => page.accounts);
  const filtered = Boolean(filters.q || filters.status);
  const clear = () => set({ q: null, status: null });
  return (
    <>
      <PageHeader title="Accounts" description="Opening an account is recorded in the audit log." />
      <Card>
        <TableTools onClear={filtered ? clear : undefined}>
          <SearchInput
            slash
            label="Search accounts"
            placeholder="Email, team, key, or id of a call or payment"
            value={filters.q ?? ''}
            onValueChange={(text) => set({ q: searchWord(text) }, 'typed')}
            className="max-sm:col-span-2 sm:w-96"
          />
          <SelectFilter
            label="Status"
            all="All open"
            value={filters.status ?? null}
            options={ACCOUNT_STATUSES}
            onChange={(status) => set({ status })}
          />
        </TableTools>
        <DataTable
          caption="Accounts"
          columns={COLUMNS}
          rows={accounts}
          keyOf={({ account_id }) => account_id}
          hrefOf={({ account_id }) => `/operator/accounts/${account_id}`}
          sort={sort ?? NEWEST_FIRST}
          onSort={(next) => set({ sort: writeSort(next) })}
          stale={query.isPlaceholderData}
          problem={listProblem(query, 'The accounts could not be loaded')}
          paging={listPaging(query, accounts?.length ?? 0, 'account')}
          empty={
            <EmptyState
              icon={<SearchX />}
              title="No accounts match"
              action={filtered ? <Button onClick={clear}>Show all open accounts</Button> : undefined}
            >
              To search by key, enter at least its first twelve characters. Closed accounts are under Closed.
            </EmptyState>
          }
        />
      </Card>
    </>
  );
}

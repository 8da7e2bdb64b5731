'use client';

import { type ComponentProps, useEffect } from 'react';
import type { UsageCall } from '@/server/usage/schema';
import { useUrlQuery } from '../shared/use-url-query';
import { DataTable } from '../ui/data-table';
import { lazyOverlay } from '../ui/lazy-overlay';
import { CALL_COLUMNS, CALL_COLUMNS_OF_KEY, FAILED_CALL_COLUMNS } from './call-columns';

/** Loaded when a call is opened. */
const CallDrawer = lazyOverlay(() => import('./call-drawer').then((module) => module.CallDrawer));

type TableProps = ComponentProps<typeof DataTable<UsageCall>>;

interface CallTableProps
  extends Pick<TableProps, 'caption' | 'rows' | 'empty' | 'problem' | 'stale' | 'paging'> {
  /** Whether to show the key of each call. */
  keys: boolean;
  /** All calls failed: each has its message. */
  failed?: boolean;
}

/** A table of calls. The drawer of one goes through the others with the arrow buttons, J and K. */
export function CallTable({ keys, failed, ...table }: CallTableProps) {
  const [get, set] = useUrlQuery();
  const open = get('call');
  const at = table.rows?.findIndex((call) => call.id === open) ?? -1;
  const neighbour = (step: 1 | -1) => {
    const id = at === -1 ? undefined : table.rows?.[at + step]?.id;
    return id === undefined ? null : () => set({ call: id });
  };
  const { paging } = table;
  const needsMore =
    at !== -1 &&
    at + 1 === table.rows?.length &&
    paging?.hasMore === true &&
    !paging.loading &&
    !paging.error;
  const loadMore = paging?.onLoadMore;
  // So that the last call of the page has a next one.
  useEffect(() => {
    if (needsMore) loadMore?.();
  }, [needsMore, loadMore]);
  return (
    <>
      <DataTable
        {...table}
        columns={failed ? FAILED_CALL_COLUMNS : keys ? CALL_COLUMNS : CALL_COLUMNS_OF_KEY}
        keyOf={(call) => call.id}
        onOpen={(call) => set({ call: call.id }, 'push')}
      />
      {open && (
        <CallDrawer
          id={open}
          known={table.rows?.[at]}
          onNewer={neighbour(-1)}
          onOlder={neighbour(1)}
          onClose={() => set({ call: null })}
        />
      )}
    </>
  );
}

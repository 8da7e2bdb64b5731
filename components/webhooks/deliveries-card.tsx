'use client';

import { useState } from 'react';
import type { WebhookDelivery, WebhookEndpoint } from '@/server/notifications/webhooks/schema';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { Segmented } from '../shared/segmented';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { useUrlChoice } from '../shared/use-url-choice';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Inbox, RotateCcw } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';
import { TableTools } from '../ui/table-tools';
import { toast } from '../ui/toast';
import { DeliveryState } from './delivery-state';
import { useDeliveries, useRefreshWebhooks } from './queries';

const DeliveryDrawer = lazyOverlay(() => import('./delivery-drawer').then((module) => module.DeliveryDrawer));

const COLUMNS: readonly Column<WebhookDelivery>[] = [
  {
    id: 'type',
    title: 'Event',
    cell: ({ type }) => <span className="font-mono text-xs">{type}</span>,
  },
  {
    id: 'state',
    title: 'State',
    phone: 'figure',
    cell: ({ state }) => <DeliveryState state={state} />,
  },
  {
    id: 'response',
    title: 'Last response',
    phone: 'note',
    cell: ({ last_status: status, last_error: error }) => (
      <span className="text-muted" title={error ?? undefined}>
        {status ?? (error === null ? 'Not sent yet' : 'No response')}
      </span>
    ),
  },
  { id: 'attempts', title: 'Attempts', numeric: true, phone: 'none', cell: ({ attempts }) => attempts },
  {
    id: 'created',
    title: 'Created',
    time: true,
    phone: 'aside',
    cell: ({ created_at: at }) => <DateTime at={at} className="max-sm:text-muted" />,
  },
];

/** The deliveries of an endpoint. The state and the open delivery are in the URL. */
export function DeliveriesCard({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [state, chooseState] = useUrlChoice('state', ['all', 'pending', 'delivered', 'failed']);
  const [get, set] = useUrlQuery();
  const query = useDeliveries(endpoint.id, state === 'all' ? null : state);
  const rows = query.data?.pages.flatMap(({ deliveries }) => deliveries);
  const open = get('delivery');
  return (
    <Card>
      <CardHeader
        title="Deliveries"
        description="Stored for 35 days"
        actions={<ReplayFailed endpoint={endpoint} />}
      />
      <TableTools>
        <Segmented
          legend="Show deliveries"
          value={state}
          options={[
            { value: 'all', label: 'All' },
            { value: 'pending', label: 'Pending' },
            { value: 'delivered', label: 'Delivered' },
            { value: 'failed', label: 'Failed' },
          ]}
          onValueChange={chooseState}
          className="max-sm:col-span-2 max-sm:[&>label]:flex-1 max-sm:[&>label]:justify-center"
        />
      </TableTools>
      <section aria-label="Deliveries">
        <DataTable
          caption="Deliveries, newest first"
          columns={COLUMNS}
          rows={rows}
          keyOf={({ id }) => id}
          onOpen={({ id }) => set({ delivery: id })}
          stale={query.isPlaceholderData}
          empty={
            <EmptyState icon={<Inbox />} title="No deliveries">
              {state === 'all' ? 'Send a test event to see one here.' : 'None in this state.'}
            </EmptyState>
          }
          problem={
            query.isError
              ? {
                  title: 'The deliveries could not be loaded',
                  text: problemText(query.error),
                  requestId: gatewayError(query.error)?.request_id,
                  onRetry: () => query.refetch(),
                  retrying: query.isFetching,
                }
              : null
          }
          paging={
            query.hasNextPage
              ? {
                  hasMore: true,
                  loading: query.isFetchingNextPage,
                  onLoadMore: () => void query.fetchNextPage(),
                  shown: formatCount(rows?.length ?? 0, 'delivery', 'deliveries'),
                }
              : undefined
          }
        />
      </section>
      {open && (
        <DeliveryDrawer endpoint={endpoint} deliveryId={open} onClose={() => set({ delivery: null })} />
      )}
    </Card>
  );
}

function ReplayFailed({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [busy, setBusy] = useState(false);
  const refresh = useRefreshWebhooks();

  async function replay() {
    setBusy(true);
    try {
      const { replayed } = await trpc.webhooks.replayFailed.mutate({ id: endpoint.id });
      toast.success(
        replayed === 0
          ? 'No delivery has failed'
          : `${formatCount(replayed, 'delivery', 'deliveries')} sent again`,
      );
      await refresh();
    } catch (error) {
      toast.error('Nothing was sent', { description: problemText(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button size="sm" busy={busy} disabled={endpoint.status === 'disabled'} onClick={() => void replay()}>
      <RotateCcw aria-hidden />
      Replay failed
    </Button>
  );
}

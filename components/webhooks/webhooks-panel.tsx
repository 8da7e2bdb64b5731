'use client';

import { useRef, useState } from 'react';
import { MAX_ENDPOINTS } from '@/server/notifications/webhooks/limits';
import type { WebhookEndpoint } from '@/server/notifications/webhooks/schema';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { useOpenOnce } from '../shared/use-open-once';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { Plus, Webhook } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';
import { PageHeader } from '../ui/page-header';
import { DeliveryState } from './delivery-state';
import { EndpointStatus } from './endpoint-status';
import { useWebhooks } from './queries';

const CreateEndpointDialog = lazyOverlay(() =>
  import('./create-endpoint-dialog').then((module) => module.CreateEndpointDialog),
);

const COLUMNS: readonly Column<WebhookEndpoint>[] = [
  {
    id: 'url',
    title: 'Endpoint',
    cell: (endpoint) => (
      <>
        <span className="block break-all">{endpoint.url}</span>
        {endpoint.description && (
          <span className="block font-normal text-muted text-xs">{endpoint.description}</span>
        )}
      </>
    ),
  },
  {
    id: 'events',
    title: 'Events',
    phone: 'note',
    cell: ({ events }) => (
      <span className="text-muted" title={events.join(', ')}>
        {events.length === 1 ? events[0] : `${events.length} event types`}
      </span>
    ),
  },
  {
    id: 'last',
    title: 'Last delivery',
    phone: 'note',
    cell: ({ last_delivery: last }) => <LastDelivery last={last} />,
  },
  {
    id: 'status',
    title: 'Status',
    phone: 'aside',
    cell: (endpoint) => <EndpointStatus endpoint={endpoint} />,
  },
];

function LastDelivery({ last }: { last: WebhookEndpoint['last_delivery'] }) {
  if (last === null) return <span className="text-muted">Nothing sent yet</span>;
  const { state, status, error, attempted_at: at } = last;
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1" title={error ?? last.type}>
      <DeliveryState state={state} />
      {at && (
        <span className="text-muted">
          {status ?? 'No response'}, <DateTime at={at} format="exact" />
        </span>
      )}
    </span>
  );
}

/** The endpoints of the account. */
export function WebhooksPanel({ initial }: { initial: WebhookEndpoint[] }) {
  const query = useWebhooks(initial);
  const endpoints = query.data;
  const [creating, setCreating] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useOpenOnce('create', setCreating);
  const full = endpoints.length >= MAX_ENDPOINTS;
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Send events of this account to your servers: ends of jobs, claimed keys, low credit."
        actions={
          <Button
            ref={button}
            variant="primary"
            aria-haspopup="dialog"
            aria-expanded={creating}
            disabled={full}
            title={full ? `At most ${MAX_ENDPOINTS} endpoints` : undefined}
            onClick={() => setCreating(true)}
          >
            <Plus aria-hidden />
            Create endpoint
          </Button>
        }
      />
      <Card>
        <section aria-label="Endpoints">
          <DataTable
            caption="Endpoints"
            columns={COLUMNS}
            rows={endpoints}
            keyOf={({ id }) => id}
            hrefOf={({ id }) => `/dashboard/webhooks/${id}`}
            empty={
              <EmptyState
                icon={<Webhook />}
                title="No endpoints yet"
                action={<Button onClick={() => setCreating(true)}>Create your first endpoint</Button>}
              >
                A single call can have a webhook of its own without any endpoint.{' '}
                <a href="/docs/webhooks" className="link">
                  Read the guide
                </a>
              </EmptyState>
            }
            problem={
              query.isError
                ? {
                    title: 'The endpoints could not be loaded',
                    text: problemText(query.error),
                    requestId: gatewayError(query.error)?.request_id,
                    onRetry: () => query.refetch(),
                    retrying: query.isFetching,
                  }
                : null
            }
          />
        </section>
      </Card>
      {creating && <CreateEndpointDialog open onOpenChange={setCreating} opener={button} />}
    </>
  );
}

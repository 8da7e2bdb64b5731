'use client';

import { useState } from 'react';
import type {
  WebhookAttempt,
  WebhookDeliveryDetail,
  WebhookEndpoint,
} from '@/server/notifications/webhooks/schema';
import { formatDuration } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { Button } from '../ui/button';
import { CodeBlock } from '../ui/code-block';
import { DateTime } from '../ui/date-time';
import { Dialog } from '../ui/dialog';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { RotateCcw, SearchX } from '../ui/icons';
import { SkeletonRows } from '../ui/skeleton';
import { toast } from '../ui/toast';
import { DeliveryState } from './delivery-state';
import { useDelivery, useRefreshWebhooks } from './queries';

/** At the right edge; on a phone at the bottom, like every dialog. */
const DRAWER =
  'max-h-[94dvh] sm:inset-y-0 sm:right-0 sm:left-auto sm:mx-0 sm:h-dvh sm:max-h-none sm:max-w-xl sm:rounded-none sm:rounded-l-xl sm:border-y-0 sm:border-r-0';

interface DeliveryDrawerProps {
  endpoint: WebhookEndpoint;
  deliveryId: string;
  onClose: () => void;
}

/** One delivery: its payload, and the request, response and time of each attempt. */
export function DeliveryDrawer({ endpoint, deliveryId, onClose }: DeliveryDrawerProps) {
  const query = useDelivery(endpoint.id, deliveryId);
  const delivery = query.data;
  useReturnFocus(true);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={delivery ? <span className="break-all font-mono text-base">{delivery.type}</span> : 'Delivery'}
      focusPanel
      className={DRAWER}
    >
      {delivery ? (
        <Delivery endpoint={endpoint} delivery={delivery} />
      ) : gatewayError(query.error)?.code === 'NOT_FOUND' ? (
        <EmptyState
          icon={<SearchX />}
          title="Delivery not found"
          action={<Button onClick={onClose}>View the deliveries</Button>}
        >
          Deliveries are stored for 35 days.
        </EmptyState>
      ) : query.isError ? (
        <ErrorState
          title="The delivery could not be loaded"
          requestId={gatewayError(query.error)?.request_id}
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {problemText(query.error)}
        </ErrorState>
      ) : (
        <SkeletonRows label="Loading the delivery" />
      )}
    </Dialog>
  );
}

interface DeliveryProps {
  endpoint: WebhookEndpoint;
  delivery: WebhookDeliveryDetail;
}

function Delivery({ endpoint, delivery }: DeliveryProps) {
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <DeliveryState state={delivery.state} />
        <Replay endpoint={endpoint} delivery={delivery} />
      </div>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
        <dt className="text-muted">Event id</dt>
        <dd className="break-all font-mono text-xs leading-5">{delivery.event_id}</dd>
        <dt className="text-muted">Created</dt>
        <dd>
          <DateTime at={delivery.created_at} format="exact" />
        </dd>
        {delivery.next_attempt_at && (
          <>
            <dt className="text-muted">Next attempt</dt>
            <dd>
              <DateTime at={delivery.next_attempt_at} format="exact" />
            </dd>
          </>
        )}
      </dl>
      <section aria-label="Payload" className="flex min-w-0 flex-col gap-2">
        <h3 className="font-semibold text-sm">Payload</h3>
        <CodeBlock
          label="Payload"
          wrap
          samples={[{ language: 'json', code: JSON.stringify(delivery.payload, null, 2) }]}
          bodyClassName="max-h-72"
        />
      </section>
      <section aria-label="Attempts" className="flex min-w-0 flex-col gap-2">
        <h3 className="font-semibold text-sm">Attempts</h3>
        {delivery.log.length === 0 && <p className="text-muted text-sm">Not sent yet.</p>}
        <ol className="flex flex-col gap-3">
          {delivery.log.map((attempt) => (
            <Attempt key={attempt.at} attempt={attempt} />
          ))}
        </ol>
      </section>
    </div>
  );
}

function Attempt({ attempt }: { attempt: WebhookAttempt }) {
  const headers = Object.entries(attempt.request_headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <li className="flex min-w-0 flex-col gap-2 rounded-lg border p-3 text-sm">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">{attempt.status ?? 'No response'}</span>
        <span className="text-muted">
          <DateTime at={attempt.at} format="exact" />, {formatDuration(attempt.duration_ms)}
        </span>
      </p>
      {attempt.error && <p className="text-danger">{attempt.error}</p>}
      <details>
        <summary className="w-fit cursor-pointer rounded-sm text-muted hover:text-ink">
          Request and response
        </summary>
        <div className="mt-2 flex min-w-0 flex-col gap-2">
          <CodeBlock
            label={`Request at ${attempt.at}`}
            wrap
            samples={[{ language: 'http', code: [`POST ${attempt.url}`, ...headers].join('\n') }]}
          />
          {attempt.response_body ? (
            <CodeBlock
              label={`Response at ${attempt.at}`}
              wrap
              samples={[{ language: 'text', code: attempt.response_body }]}
              bodyClassName="max-h-60"
            />
          ) : (
            <p className="text-muted">The response has no body.</p>
          )}
        </div>
      </details>
    </li>
  );
}

function Replay({ endpoint, delivery }: DeliveryProps) {
  const [busy, setBusy] = useState(false);
  const refresh = useRefreshWebhooks();

  async function replay() {
    setBusy(true);
    try {
      await trpc.webhooks.replay.mutate({ id: endpoint.id, delivery_id: delivery.id });
      toast.success('Delivery queued');
      await refresh();
    } catch (error) {
      toast.error('The delivery was not sent', { description: problemText(error) });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button busy={busy} disabled={endpoint.status === 'disabled'} onClick={() => void replay()}>
      <RotateCcw aria-hidden />
      Replay
    </Button>
  );
}

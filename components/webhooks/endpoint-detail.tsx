'use client';

import Link from 'next/link';
import { useState } from 'react';
import type { WebhookEndpoint } from '@/server/notifications/webhooks/schema';
import { Id } from '../shared/id';
import { problemText } from '../shared/problem';
import { trpc } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { DateTime } from '../ui/date-time';
import { ArrowLeft, Send } from '../ui/icons';
import { lazyOverlay } from '../ui/lazy-overlay';
import { Notice } from '../ui/notice';
import { PageHeader } from '../ui/page-header';
import { toast } from '../ui/toast';
import { DeliveriesCard } from './deliveries-card';
import { EndpointActions } from './endpoint-actions';
import { EndpointStatus } from './endpoint-status';
import { useWebhook } from './queries';
import type { SentTest } from './test-outcome';

const TestOutcome = lazyOverlay(() => import('./test-outcome').then((module) => module.TestOutcome));

/** One endpoint with its deliveries. */
export function EndpointDetail({ initial }: { initial: WebhookEndpoint }) {
  const endpoint = useWebhook(initial).data;
  const [test, setTest] = useState<SentTest | null>(null);
  const [waiting, setWaiting] = useState(false);
  return (
    <>
      <PageHeader
        back={
          <Link
            href="/dashboard/webhooks"
            className="inline-flex items-center gap-1.5 text-muted hover:text-ink"
          >
            <ArrowLeft aria-hidden className="size-4" />
            Webhooks
          </Link>
        }
        title={<span className="break-all">{endpoint.url}</span>}
        description={endpoint.description}
        actions={
          <>
            <SendTest
              endpoint={endpoint}
              busy={waiting}
              onSent={(sent) => {
                setTest(sent);
                setWaiting(true);
              }}
            />
            <EndpointActions endpoint={endpoint} />
          </>
        }
      />
      <StatusNotice endpoint={endpoint} />
      {test && (
        <TestOutcome key={test.id} endpointId={endpoint.id} test={test} onEnd={() => setWaiting(false)} />
      )}
      <Card>
        <dl className="grid gap-x-6 gap-y-4 p-4 text-sm sm:grid-cols-2 sm:p-5 lg:grid-cols-3">
          <Fact name="Status">
            <EndpointStatus endpoint={endpoint} />
          </Fact>
          <Fact name="Created">
            <DateTime at={endpoint.created_at} format="exact" className="whitespace-normal" />
          </Fact>
          <Fact name="Id">
            <span className="flex justify-start">
              <Id value={endpoint.id} label="Copy endpoint id" />
            </span>
          </Fact>
          {endpoint.previous_secret_expires_at && (
            <Fact name="Old secret signs until">
              <DateTime
                at={endpoint.previous_secret_expires_at}
                format="exact"
                className="whitespace-normal"
              />
            </Fact>
          )}
          <div className="min-w-0 sm:col-span-2 lg:col-span-3">
            <dt className="mb-1 text-muted">Events</dt>
            <dd className="flex flex-wrap gap-1.5">
              {endpoint.events.map((type) => (
                <Badge key={type} className="font-mono">
                  {type}
                </Badge>
              ))}
            </dd>
          </div>
        </dl>
      </Card>
      <DeliveriesCard endpoint={endpoint} />
    </>
  );
}

function StatusNotice({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { disabled_reason: reason, failing_since: failingSince } = endpoint;
  if (reason === 'gone' || reason === 'failing')
    return (
      <Notice tone="danger" title="This endpoint was disabled">
        {reason === 'gone'
          ? 'It answered 410 Gone, which asks for no more events.'
          : 'Every attempt failed for five days.'}{' '}
        When it works again, enable it and replay the failed deliveries.
      </Notice>
    );
  if (failingSince === null || reason === 'manual') return null;
  return (
    <Notice tone="warning" title="This endpoint is failing">
      No attempt has succeeded since <DateTime at={failingSince} format="exact" />. After five days it is
      disabled.
    </Notice>
  );
}

interface SendTestProps {
  endpoint: WebhookEndpoint;
  busy: boolean;
  onSent: (test: SentTest) => void;
}

function SendTest({ endpoint, busy, onSent }: SendTestProps) {
  const [sending, setSending] = useState(false);

  async function send() {
    setSending(true);
    try {
      const { id } = await trpc.webhooks.test.mutate({ id: endpoint.id });
      onSent({ id, at: Date.now() });
    } catch (error) {
      toast.error('The test event was not sent', { description: problemText(error) });
    } finally {
      setSending(false);
    }
  }

  return (
    <Button busy={busy || sending} disabled={endpoint.status === 'disabled'} onClick={() => void send()}>
      <Send aria-hidden />
      Send test event
    </Button>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

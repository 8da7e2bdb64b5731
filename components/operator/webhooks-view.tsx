'use client';

import Link from 'next/link';
import type { EventList, EventRow, MailRow } from '@/server/operations/operator/schema';
import { formatCount } from '../shared/format';
import { trpc } from '../shared/trpc-provider';
import { InputProblem } from '../shared/use-submit';
import { useUrlQuery } from '../shared/use-url-query';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { type Column, DataTable } from '../ui/data-table';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { SelectFilter } from '../ui/filter';
import { MailCheck, Webhook } from '../ui/icons';
import { PageHeader } from '../ui/page-header';
import { TableTools } from '../ui/table-tools';
import { ActDialog } from './act-dialog';
import { EVENT_STATES, readEventState } from './event-state';
import { listPaging, listProblem, usePages } from './pages';

const STATES = {
  failed: { tone: 'danger', word: 'Failed' },
  received: { tone: 'accent', word: 'Processing' },
  applied: { tone: 'success', word: 'Applied' },
  ignored: { tone: 'neutral', word: 'Ignored' },
} as const;

/** Events received from the payment provider, and emails that could not be sent. */
export function WebhooksView({ initial }: { initial: EventList }) {
  const [get, set] = useUrlQuery();
  const state = readEventState(get('state')) ?? undefined;
  const query = usePages(
    'webhooks',
    { state },
    (cursor, signal) => trpc.operator.webhooks.list.query({ state, cursor }, { signal }),
    initial,
  );
  const first = query.data?.pages[0] ?? initial;
  const events = query.data?.pages.flatMap((page) => page.events);
  return (
    <>
      <PageHeader
        title="Webhooks"
        description="Events from the payment provider. An event only names an object; its state is re-read from the provider, so replaying an event is safe."
        actions={first.failed > 0 ? <ReplayAll failed={first.failed} /> : undefined}
      />
      <Card>
        <TableTools onClear={state ? () => set({ state: null }) : undefined}>
          <SelectFilter
            label="State"
            all="All"
            value={state ?? null}
            options={EVENT_STATES}
            onChange={(next) => set({ state: next })}
            className="sm:w-44"
          />
        </TableTools>
        <DataTable
          caption="Events, newest first"
          columns={EVENT_COLUMNS}
          rows={events}
          keyOf={({ id }) => id}
          stale={query.isPlaceholderData}
          problem={listProblem(query, 'The events could not be loaded')}
          paging={listPaging(query, events?.length ?? 0, 'event')}
          empty={
            <EmptyState
              icon={<Webhook />}
              title={state ? 'No events in this state' : 'No events yet'}
              action={
                state ? <Button onClick={() => set({ state: null })}>Show all events</Button> : undefined
              }
            >
              Events arrive with the first credit purchase and are kept for 90 days.
            </EmptyState>
          }
        />
      </Card>
      <Card id="mails" className="scroll-mt-28">
        <CardHeader
          title="Emails that could not be sent"
          description="Tried ten times over about eight hours, then marked as failed."
        />
        <DataTable
          caption="Emails that could not be sent, newest first"
          columns={MAIL_COLUMNS}
          rows={first.mails}
          keyOf={({ id }) => id}
          empty={<EmptyState icon={<MailCheck />} title="All emails were sent" />}
        />
      </Card>
    </>
  );
}

function ReplayAll({ failed }: { failed: number }) {
  return (
    <ActDialog
      label="Replay all failed"
      variant="primary"
      size="md"
      title={`Replay ${formatCount(failed, 'failed event')}?`}
      consequence="Events are processed again, oldest first. Those that fail again stay in the list."
      confirmLabel="Replay"
      done="All failed events were applied"
      act={async () => {
        const { worked, failed: again } = await trpc.operator.webhooks.replayAll.mutate();
        if (again > 0) throw new InputProblem(`${again} of ${formatCount(worked, 'event')} failed again.`);
      }}
    />
  );
}

const EVENT_COLUMNS: readonly Column<EventRow>[] = [
  {
    id: 'type',
    title: 'Event',
    phone: 'title',
    className: 'max-w-80',
    cell: ({ type, id, error }) => (
      <>
        <span className="block break-all font-mono font-normal text-sm">{type}</span>
        <span className="block break-all font-mono font-normal text-muted text-xs">{id}</span>
        {error && <span className="mt-1 block break-words font-normal text-danger text-xs">{error}</span>}
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    phone: 'aside',
    cell: ({ state, outcome }) => {
      const { tone, word } = STATES[outcome ?? (state === 'failed' ? 'failed' : 'received')];
      return <Badge tone={tone}>{word}</Badge>;
    },
  },
  { id: 'attempts', title: 'Attempts', numeric: true, phone: 'none', cell: ({ attempts }) => attempts },
  {
    id: 'payment',
    title: 'Payment',
    phone: 'none',
    className: 'max-w-48 truncate font-mono text-muted text-xs',
    cell: ({ payment_id }) => payment_id ?? '—',
  },
  {
    id: 'received',
    title: 'Received',
    time: true,
    phone: 'note',
    className: 'text-muted',
    cell: ({ received_at }) => <DateTime at={received_at} />,
  },
  {
    id: 'act',
    title: 'Actions',
    titleHidden: true,
    className: 'text-right',
    phone: 'line',
    cell: (event) =>
      event.state === 'failed' && event.replayable ? (
        <ActDialog
          label="Replay"
          title={`Replay ${event.type}?`}
          consequence="The current objects are fetched from the provider, and the books are updated to match."
          confirmLabel="Replay"
          done="The event was applied"
          act={async () => {
            const { error } = await trpc.operator.webhooks.replay.mutate({ event_id: event.id });
            if (error) throw new InputProblem(`It failed again: ${error}`);
          }}
        />
      ) : null,
  },
];

const MAIL_COLUMNS: readonly Column<MailRow>[] = [
  {
    id: 'kind',
    title: 'Email',
    phone: 'title',
    cell: ({ kind, error }) => (
      <>
        <span className="block">{kind.replaceAll('_', ' ')}</span>
        {error && <span className="block break-words font-normal text-danger text-xs">{error}</span>}
      </>
    ),
  },
  {
    id: 'state',
    title: 'State',
    phone: 'aside',
    cell: ({ given_up, attempts }) =>
      given_up ? (
        <Badge tone="danger">Failed permanently</Badge>
      ) : (
        <Badge tone="warning">{`Tried ${attempts} times`}</Badge>
      ),
  },
  {
    id: 'account',
    title: 'Account',
    phone: 'none',
    className: 'max-w-56 truncate',
    cell: ({ account_id, account_name }) => (
      <Link href={`/operator/accounts/${account_id}`} prefetch={false} className="link" title={account_id}>
        {account_name}
      </Link>
    ),
  },
  {
    id: 'at',
    title: 'Created',
    time: true,
    phone: 'note',
    className: 'text-muted',
    cell: ({ created_at }) => <DateTime at={created_at} />,
  },
  {
    id: 'act',
    title: 'Actions',
    titleHidden: true,
    className: 'text-right',
    phone: 'line',
    cell: ({ id, kind }) => (
      <ActDialog
        label="Send again"
        title={`Send “${kind.replaceAll('_', ' ')}” again?`}
        consequence="It is sent immediately, to the account’s current owner."
        confirmLabel="Send again"
        done="The email is being sent"
        act={() => trpc.operator.webhooks.resend.mutate({ mail_id: id })}
      />
    ),
  },
];

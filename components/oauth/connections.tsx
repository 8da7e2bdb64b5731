'use client';

import { useRef, useState } from 'react';
import type { Connection } from '@/server/identity/oauth/schema';
import { problemText } from '../shared/problem';
import { useOrigin } from '../shared/use-origin';
import { Button } from '../ui/button';
import { Card, CardHeader } from '../ui/card';
import { CopyButton } from '../ui/copy-button';
import { DateTime } from '../ui/date-time';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { Plug } from '../ui/icons';
import { IntentLink } from '../ui/intent-link';
import { ConnectionLimitDialog } from './connection-limit-dialog';
import { ConnectionSpending } from './connection-spending';
import { DisconnectDialog } from './disconnect-dialog';
import { placeWords } from './place-words';
import { useConnections } from './queries';

/** The applications a person has connected, each with its limit and a way to disconnect it. */
export function Connections({ initial }: { initial: Connection[] }) {
  const query = useConnections(initial);
  const list = useRef<HTMLUListElement>(null);
  return (
    <Card>
      <CardHeader
        title="Connected applications"
        description="Chat apps and editors that use tools on your behalf over MCP."
      />
      {query.isError && query.data.length === 0 ? (
        <ErrorState onRetry={() => query.refetch()} retrying={query.isFetching}>
          {problemText(query.error)}
        </ErrorState>
      ) : query.data.length === 0 ? (
        <NoConnections />
      ) : (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label="Connected applications"
          className="divide-y text-sm focus:outline-none"
        >
          {query.data.map((connection) => (
            <ConnectionLine
              key={connection.id}
              connection={connection}
              onGone={() => list.current?.focus()}
            />
          ))}
        </ul>
      )}
    </Card>
  );
}

function NoConnections() {
  // The parameter makes the gateway ask for sign-in at once; some clients would otherwise assume it
  // needs none.
  const address = `${useOrigin()}/mcp?auth=required`;
  return (
    <EmptyState
      icon={<Plug />}
      title="No connected applications"
      action={
        <div className="flex max-w-full items-center gap-2 rounded-md border bg-sunken py-1 pr-1 pl-3">
          <code className="min-w-0 truncate font-mono text-sm">{address}</code>
          <CopyButton value={address} label="Copy URL" />
        </div>
      }
    >
      Add this URL to a chat app or editor that supports MCP. It will send you here to approve access.
    </EmptyState>
  );
}

interface ConnectionLineProps {
  connection: Connection;
  onGone: () => void;
}

function ConnectionLine({ connection, onGone }: ConnectionLineProps) {
  const [act, setAct] = useState<'limit' | 'disconnect' | null>(null);
  const dialog = (name: 'limit' | 'disconnect') => ({
    connection,
    open: act === name,
    onOpenChange: (open: boolean) => setAct(open ? name : null),
  });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="break-words font-medium">{connection.name}</p>
        <p className="[overflow-wrap:anywhere] text-muted">
          {placeWords(connection.place)}
          {connection.document_host && `, described by ${connection.document_host}`}
        </p>
        <p className="text-muted">
          Connected <DateTime at={connection.connected_at} format="date" />
          {connection.last_used_at ? (
            <>
              , last used <DateTime at={connection.last_used_at} format="age" />
            </>
          ) : (
            ', not used yet'
          )}
          {' · '}
          <IntentLink href={`/dashboard/usage?key=${connection.key_id}`} className="link whitespace-nowrap">
            View its calls
          </IntentLink>
        </p>
      </div>
      <ConnectionSpending connection={connection} />
      <div className="flex gap-2">
        <Button size="sm" aria-label={`Limit for ${connection.name}`} onClick={() => setAct('limit')}>
          Limit
        </Button>
        <Button size="sm" aria-label={`Disconnect ${connection.name}`} onClick={() => setAct('disconnect')}>
          Disconnect
        </Button>
      </div>
      <ConnectionLimitDialog {...dialog('limit')} />
      <DisconnectDialog {...dialog('disconnect')} onGone={onGone} />
    </li>
  );
}

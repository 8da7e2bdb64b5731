'use client';

import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ApiKey } from '@/server/keys/schema';
import { gatewayError } from '../trpc-provider';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { LoadMore } from '../ui/load-more';
import { PageHeader } from '../ui/page-header';
import { CreateKeyDialog } from './create-key-dialog';
import { formatCount } from './format';
import { KeysTable } from './keys-table';
import { problemText } from './problem';
import { useKeys } from './queries';
import { Segmented } from './segmented';
import { useUrlChoice } from './use-url-choice';

/** The list comes whole; only its table grows by pages. */
const PAGE_ROWS = 50;

interface KeysPanelProps {
  initial: ApiKey[];
  /** Came here to create one. */
  create: boolean;
}

export function KeysPanel({ initial, create }: KeysPanelProps) {
  const query = useKeys(initial);
  const keys = query.data ?? initial;
  const [status, chooseStatus] = useUrlChoice('status', ['active', 'all']);
  const [creating, setCreating] = useState(false);
  const [rows, setRows] = useState(PAGE_ROWS);
  const active = keys.filter((key) => key.status === 'active');
  const shown = status === 'active' ? active : keys;

  // Opened after the first paint, and taken out of the URL, so that going back or sharing does not open it again.
  useEffect(() => {
    if (!create) return;
    setCreating(true);
    window.history.replaceState(null, '', window.location.pathname);
  }, [create]);

  return (
    <>
      <PageHeader
        title="Keys"
        description="What your agents call with. All spend from the same balance; a limit keeps one in bounds."
        actions={<CreateKeyDialog open={creating} onOpenChange={setCreating} />}
      />
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-3 border-b px-4 py-3 sm:px-5">
          <Segmented
            legend="Which keys"
            value={status}
            options={[
              { value: 'active', label: `Active (${active.length})` },
              { value: 'all', label: `All (${keys.length})` },
            ]}
            onValueChange={chooseStatus}
          />
        </div>
        <section aria-label="Keys">
          {query.isError && keys.length === 0 ? (
            <ErrorState
              title="The keys could not be loaded"
              requestId={gatewayError(query.error)?.request_id}
              onRetry={() => query.refetch()}
              retrying={query.isFetching}
            >
              {problemText(query.error)}
            </ErrorState>
          ) : shown.length === 0 ? (
            <NoKeys revoked={keys.length} onCreate={() => setCreating(true)} />
          ) : (
            <>
              <KeysTable keys={shown.slice(0, rows)} />
              {shown.length > PAGE_ROWS && (
                <LoadMore
                  hasMore={rows < shown.length}
                  loading={false}
                  onLoadMore={() => setRows(rows + PAGE_ROWS)}
                  shown={formatCount(Math.min(rows, shown.length), 'key')}
                />
              )}
            </>
          )}
        </section>
      </Card>
    </>
  );
}

function NoKeys({ revoked, onCreate }: { revoked: number; onCreate: () => void }) {
  return (
    <EmptyState
      icon={<KeyRound />}
      title={revoked > 0 ? 'No active keys' : 'No keys yet'}
      action={
        <Button onClick={onCreate}>{revoked > 0 ? 'Create a new key' : 'Create your first key'}</Button>
      }
    >
      {revoked > 0
        ? `${formatCount(revoked, 'key')} of yours ${revoked === 1 ? 'is' : 'are'} revoked and no longer work.`
        : 'Create one for your agent. If an agent has got one by itself, open the claim link it gave you.'}
    </EmptyState>
  );
}

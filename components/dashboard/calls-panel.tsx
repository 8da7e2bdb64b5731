'use client';

import { Activity } from 'lucide-react';
import { useState } from 'react';
import type { UsageHistory, UsageRecord } from '@/server/usage/schema';
import { curlCall, KEY_VARIABLE } from '../site/call-samples';
import { gatewayError } from '../trpc-provider';
import { Card, CardHeader } from '../ui/card';
import { CodeBlock } from '../ui/code-block';
import { EmptyState } from '../ui/empty-state';
import { ErrorState } from '../ui/error-state';
import { LoadMore } from '../ui/load-more';
import { CallDialog } from './call-dialog';
import { CallsTable } from './calls-table';
import { formatCount } from './format';
import { problemText } from './problem';
import { useHistory } from './queries';
import { FIRST_CALL } from './snippets';
import { useOrigin } from './use-origin';

interface CallsPanelProps {
  title: string;
  /** Only this key's calls. */
  keyId?: string;
  initial: UsageHistory;
  refetchMs?: number;
}

/** Calls that ended, newest first, a page at a time; each opens to all its details. */
export function CallsPanel({ title, keyId, initial, refetchMs }: CallsPanelProps) {
  const history = useHistory(keyId, initial, refetchMs);
  const [open, setOpen] = useState<UsageRecord | null>(null);
  const calls = history.data?.pages.flatMap((page) => page.records) ?? [];
  return (
    <Card>
      <CardHeader title={title} />
      {history.isError && calls.length === 0 ? (
        <ErrorState
          title="The calls could not be loaded"
          requestId={gatewayError(history.error)?.request_id}
          onRetry={() => history.refetch()}
          retrying={history.isFetching}
        >
          {problemText(history.error)}
        </ErrorState>
      ) : calls.length === 0 ? (
        <NoCalls />
      ) : (
        <>
          <CallsTable calls={calls} caption={title} showKey={keyId === undefined} onOpen={setOpen} />
          <LoadMore
            hasMore={history.hasNextPage}
            loading={history.isFetchingNextPage}
            onLoadMore={() => history.fetchNextPage()}
            shown={formatCount(calls.length, 'call')}
            error={history.isFetchNextPageError ? problemText(history.error) : null}
          />
        </>
      )}
      <CallDialog call={open} onClose={() => setOpen(null)} />
    </Card>
  );
}

function NoCalls() {
  const origin = useOrigin();
  return (
    <EmptyState
      icon={<Activity />}
      title="No calls yet"
      className="px-4"
      action={
        <CodeBlock
          className="w-[min(34rem,calc(100vw-4rem))] text-left"
          label="A first call with curl"
          samples={[{ language: 'curl', code: curlCall(origin, FIRST_CALL) }]}
        />
      }
    >
      Put a key into <code className="font-mono">{KEY_VARIABLE}</code> and make a first call. It is free, and
      shows up here a moment later.
    </EmptyState>
  );
}

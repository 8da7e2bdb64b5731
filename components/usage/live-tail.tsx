'use client';

import { type PointerEvent, useState } from 'react';
import type { UsageCall, UsageFilter } from '@/server/usage/schema';
import { formatCount } from '../shared/format';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { useUrlQuery } from '../shared/use-url-query';
import { Button } from '../ui/button';
import { EmptyState } from '../ui/empty-state';
import { Pause, Play, Radio } from '../ui/icons';
import { CallTable } from './call-table';
import { useCalls } from './queries';

/** The newest calls that are shown; older ones leave the list. */
const MAX_ROWS = 50;

/**
 * The newest calls as they end, without a period. The page's live channel causes each refresh, so
 * an idle account causes none. Pausing holds what is shown, also by the mouse over the rows, and
 * while a call is open, so that its neighbours stay.
 */
export function LiveTail({ title, filter }: { title: string; filter: UsageFilter }) {
  const query = useCalls({ ...filter, from: undefined, to: undefined, period: '24h' }, undefined, MAX_ROWS);
  const newest = query.data?.pages[0]?.calls;
  const [get] = useUrlQuery();
  const [hovers, setHovers] = useState(false);
  const [isPaused, setPaused] = useState(false);
  const reason = isPaused ? 'paused' : get('call') !== null ? 'open' : hovers ? 'hover' : null;
  const held = useHeld(query.isPlaceholderData ? undefined : newest, JSON.stringify(filter), reason !== null);
  const waiting = held ? countNewer(newest ?? [], held[0]) : 0;
  const hover = (over: boolean) => (event: PointerEvent) => {
    if (event.pointerType === 'mouse') setHovers(over);
  };

  return (
    <>
      <div className="flex min-h-12 flex-wrap items-center justify-between gap-3 border-b px-4 py-2 text-sm sm:px-5">
        <p role="status" className="text-muted">
          {describe(held && reason, waiting)}
        </p>
        <Button size="sm" onClick={() => setPaused(!isPaused)}>
          {isPaused ? <Play aria-hidden /> : <Pause aria-hidden />}
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
      </div>
      <div onPointerEnter={hover(true)} onPointerLeave={hover(false)}>
        <CallTable
          caption={title}
          keys
          rows={held ?? newest}
          stale={query.isPlaceholderData}
          problem={
            query.isError
              ? {
                  title: 'The calls could not be loaded',
                  text: problemText(query.error),
                  requestId: gatewayError(query.error)?.request_id,
                  onRetry: () => query.refetch(),
                  retrying: query.isFetching,
                }
              : null
          }
          empty={
            <EmptyState icon={<Radio />} title="Waiting for calls">
              Calls that match the filters appear here as they end.
            </EmptyState>
          }
        />
      </div>
    </>
  );
}

/** The calls at the time when the list was first held with this filter; null while it is not. */
function useHeld(newest: UsageCall[] | undefined, filter: string, isHeld: boolean): UsageCall[] | null {
  const [held, setHeld] = useState<{ filter: string; calls: UsageCall[] } | null>(null);
  if (isHeld && newest && held?.filter !== filter) setHeld({ filter, calls: newest });
  if (!isHeld && held) setHeld(null);
  return isHeld && held?.filter === filter ? held.calls : null;
}

/** Ids sort by time. */
function countNewer(calls: readonly UsageCall[], than: UsageCall | undefined): number {
  return than ? calls.filter(({ id }) => id > than.id).length : calls.length;
}

const HELD = {
  paused: 'Paused',
  open: 'Paused while a call is open',
  hover: 'Paused while you point at it',
} as const;

function describe(reason: keyof typeof HELD | null, waiting: number): string {
  if (!reason) return `The newest ${MAX_ROWS} calls, live`;
  if (waiting === 0) return HELD[reason];
  return `${HELD[reason]}: ${waiting >= MAX_ROWS ? `${MAX_ROWS} or more new calls` : formatCount(waiting, 'new call')}`;
}

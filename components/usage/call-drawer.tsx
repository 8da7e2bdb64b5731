'use client';

import { useEffect } from 'react';
import type { UsageCall } from '@/server/usage/schema';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { Dialog } from '../ui/dialog';
import { ErrorState } from '../ui/error-state';
import { IconButton } from '../ui/icon-button';
import { ArrowDown, ArrowUp } from '../ui/icons';
import { singleKeysOn } from '../ui/single-keys';
import { SkeletonRows } from '../ui/skeleton';
import { CallFacts } from './call-facts';
import { useCall } from './queries';

interface CallDrawerProps {
  id: string;
  /** The call as listed, shown until the details load. */
  known: UsageCall | undefined;
  /** Opens the next newer or older call of the list; null if there is none. */
  onNewer: (() => void) | null;
  onOlder: (() => void) | null;
  onClose: () => void;
}

/** The details of one call, in a drawer over the page that opened it. */
export function CallDrawer({ id, known, onNewer, onOlder, onClose }: CallDrawerProps) {
  useReturnFocus(true);
  useSteps(onNewer, onOlder);
  const query = useCall(id);
  const details = query.data;
  const call = details ?? known;
  return (
    <Dialog
      open
      focusPanel
      onOpenChange={(open) => !open && onClose()}
      title={
        call ? <span className="break-all font-mono text-base">{`${call.tool}.${call.skill}`}</span> : 'Call'
      }
      className="sm:top-0 sm:right-0 sm:bottom-0 sm:left-auto sm:mx-0 sm:h-dvh sm:max-h-none sm:max-w-lg sm:rounded-none sm:rounded-l-xl sm:border-y-0 sm:border-r-0"
    >
      {(onNewer || onOlder) && (
        <div className="mb-3 flex gap-1">
          <IconButton label="Newer call (K)" disabled={!onNewer} onClick={() => onNewer?.()}>
            <ArrowUp aria-hidden />
          </IconButton>
          <IconButton label="Older call (J)" disabled={!onOlder} onClick={() => onOlder?.()}>
            <ArrowDown aria-hidden />
          </IconButton>
        </div>
      )}
      {call ? (
        <CallFacts key={call.id} call={call} details={details} />
      ) : query.isError ? (
        <ErrorState
          title={
            gatewayError(query.error)?.code === 'NOT_FOUND'
              ? 'Call not found'
              : 'The call could not be loaded'
          }
          requestId={gatewayError(query.error)?.request_id}
          onRetry={() => query.refetch()}
          retrying={query.isFetching}
        >
          {problemText(query.error)}
        </ErrorState>
      ) : (
        <SkeletonRows label="Loading the call" />
      )}
    </Dialog>
  );
}

/** J and K, unless the person has switched off shortcuts of a single key. */
function useSteps(onNewer: (() => void) | null, onOlder: (() => void) | null) {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || !singleKeysOn()) return;
      if (event.target instanceof HTMLElement && event.target.closest('input, textarea, select')) return;
      if (event.key === 'k') onNewer?.();
      if (event.key === 'j') onOlder?.();
    }
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onNewer, onOlder]);
}

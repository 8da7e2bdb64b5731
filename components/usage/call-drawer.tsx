'use client';

import type { UsageCall } from '@/server/usage/schema';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { useReturnFocus } from '../shared/use-return-focus';
import { Dialog } from '../ui/dialog';
import { ErrorState } from '../ui/error-state';
import { SkeletonRows } from '../ui/skeleton';
import { CallFacts } from './call-facts';
import { useCall } from './queries';

interface CallDrawerProps {
  id: string;
  /** The call as listed, shown until the details load. */
  known: UsageCall | undefined;
  onClose: () => void;
}

/** The details of one call, in a drawer over the page that opened it. */
export function CallDrawer({ id, known, onClose }: CallDrawerProps) {
  useReturnFocus(true);
  const query = useCall(id, known);
  const call = query.data;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={
        call ? <span className="break-all font-mono text-base">{`${call.tool}.${call.skill}`}</span> : 'Call'
      }
      className="sm:top-0 sm:right-0 sm:bottom-0 sm:left-auto sm:mx-0 sm:h-dvh sm:max-h-none sm:max-w-md sm:rounded-none sm:rounded-l-xl sm:border-y-0 sm:border-r-0"
    >
      {call ? (
        <CallFacts call={call} />
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

'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { LARGEST_CONTENT_BYTES } from '@/server/calls/contents/limits';
import type { ContentSettings } from '@/server/calls/contents/schema';
import { formatBytes } from '../shared/format-bytes';
import { problemText, withProblemText } from '../shared/problem';
import { gatewayError, trpc } from '../shared/trpc-provider';
import { AlertDialog } from '../ui/alert-dialog';
import { Card, CardBody, CardHeader } from '../ui/card';
import { ErrorState } from '../ui/error-state';
import { Notice } from '../ui/notice';
import { Select } from '../ui/select';
import { SkeletonRows } from '../ui/skeleton';
import { toast } from '../ui/toast';

interface ContentsCardProps {
  /** The slug of a team; absent for the person's own account. */
  billing?: string;
}

/** From this share of the space on, the person is warned. */
const NEARLY_FULL = 0.95;

/** Whether an account stores the inputs, outputs and logs of its calls, and for how long. */
export function ContentsCard({ billing }: ContentsCardProps) {
  const query = useQuery({
    queryKey: ['contents', 'settings', billing ?? null],
    queryFn: ({ signal }) => trpc.callContents.settings.query({ billing }, { signal }),
  });
  return (
    <Card id="contents">
      <CardHeader
        title="Contents of calls"
        description={`Inputs, outputs and logs of calls charged to ${billing ? 'the team' : 'your account'}, to inspect under Usage.`}
      />
      <CardBody>
        {query.data ? (
          <Choice settings={query.data} billing={billing} />
        ) : query.isError ? (
          <ErrorState
            title="The setting could not be loaded"
            requestId={gatewayError(query.error)?.request_id}
            onRetry={() => query.refetch()}
            retrying={query.isFetching}
          >
            {problemText(query.error)}
          </ErrorState>
        ) : (
          <SkeletonRows label="Loading the setting" />
        )}
      </CardBody>
    </Card>
  );
}

function Choice({ settings, billing }: { settings: ContentSettings; billing: string | undefined }) {
  const { days, choices, can_change: canChange, stored_bytes: bytes, max_bytes: most } = settings;
  const id = useId();
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  /** The days that are asked about before they are changed; null to stop. */
  const [asked, setAsked] = useState<number | null>(null);
  const change = useMutation({
    mutationFn: (next: number | null) =>
      withProblemText(trpc.callContents.change.mutate({ billing, days: next })),
    onSuccess: (saved) => {
      queries.setQueryData(['contents', 'settings', billing ?? null], saved);
      void queries.invalidateQueries({ queryKey: ['contents', 'call'] });
    },
  });
  if (choices.length === 0)
    return <p className="text-muted text-sm">The operator of this gateway has switched this off.</p>;
  if (!canChange)
    return (
      <p className="text-muted text-sm">
        {days === null ? 'Not stored.' : `Stored for ${writeDays(days)}.`} Owners and admins of the team can
        change this, and read the contents of all its calls.
      </p>
    );

  function choose(next: number | null) {
    const losesSome = days !== null && next !== null && next < days && bytes > 0;
    if (next === null || losesSome) {
      setAsked(next);
      setAsks(true);
    } else
      change.mutate(next, {
        onError: (error) => toast.error('Could not save', { description: error.message }),
      });
  }

  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-sm">
        <div className="min-w-0 max-w-md">
          <label htmlFor={id} className="font-medium">
            Store contents
          </label>
          <p id={`${id}-hint`} className="text-muted">
            Encrypted, at most 64 KiB of each input and output, without fields that look like secrets.
            {days !== null && ` ${formatBytes(bytes)} of ${formatBytes(most)} used.`}
          </p>
        </div>
        <Select
          id={id}
          aria-describedby={`${id}-hint`}
          className="w-36"
          value={change.isPending ? (change.variables ?? '') : (days ?? '')}
          disabled={change.isPending}
          onChange={({ target }) => choose(target.value === '' ? null : Number(target.value))}
        >
          <option value="">Off</option>
          {listOptions(choices, days).map((choice) => (
            <option key={choice} value={choice}>
              {`For ${writeDays(choice)}`}
            </option>
          ))}
        </Select>
      </div>
      {days !== null && bytes > most * NEARLY_FULL && <SpaceNotice left={most - bytes} />}
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        {...(asked === null ? describeStop(bytes) : describeShorter(asked))}
        onConfirm={async () => {
          await change.mutateAsync(asked);
        }}
      />
    </div>
  );
}

/** The choices, and the current days if the operator has removed them since. */
function listOptions(choices: readonly number[], days: number | null): number[] {
  return days === null || choices.includes(days) ? [...choices] : [...choices, days];
}

function SpaceNotice({ left }: { left: number }) {
  return (
    <Notice
      tone="warning"
      title={left < LARGEST_CONTENT_BYTES ? 'The space is used up' : 'The space is nearly used up'}
    >
      Once it is used up, contents of further calls are not stored until older ones expire. Choose fewer days
      to make room.
    </Notice>
  );
}

function describeStop(bytes: number) {
  return {
    title: 'Stop storing contents of calls?',
    consequence:
      bytes > 0
        ? `The stored contents (${formatBytes(bytes)}) are deleted. This cannot be undone.`
        : 'Contents of further calls are not stored.',
    confirmLabel: 'Stop and delete',
  };
}

function describeShorter(days: number) {
  return {
    title: `Store contents of calls for ${writeDays(days)}?`,
    consequence: 'Contents that are older than that are deleted. This cannot be undone.',
    confirmLabel: 'Delete older contents',
  };
}

function writeDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}

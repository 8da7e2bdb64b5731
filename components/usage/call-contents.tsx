'use client';

import type { ContentSide } from '@/server/calls/contents/schema';
import type { UsageCall } from '@/server/usage/schema';
import { WhyNotStored } from '../contents/why-not-stored';
import { problemText } from '../shared/problem';
import { gatewayError } from '../shared/trpc-provider';
import { Badge } from '../ui/badge';
import { CopyButton } from '../ui/copy-button';
import { DateTime } from '../ui/date-time';
import { ErrorState } from '../ui/error-state';
import { JsonTree } from '../ui/json-tree';
import { SkeletonRows } from '../ui/skeleton';
import { formatTime } from '../ui/time-format';
import { useTimes } from '../ui/time-provider';
import { type useContent, useContentSettings } from './queries';

interface CallContentsProps {
  query: ReturnType<typeof useContent>;
  call: UsageCall;
}

/** Input, output and log of a call, if its account stores them. */
export function CallContents({ query, call }: CallContentsProps) {
  const { data } = query;
  if (query.isError)
    return (
      <ErrorState
        title="The contents could not be loaded"
        requestId={gatewayError(query.error)?.request_id}
        onRetry={() => query.refetch()}
        retrying={query.isFetching}
      >
        {problemText(query.error)}
      </ErrorState>
    );
  if (!data) return <SkeletonRows label="Loading the contents" />;
  if (!data.content) return <NotStored isHidden={data.hidden} team={call.account.slug} />;
  const { input, output, log, expires_at: expiresAt } = data.content;
  return (
    <>
      <Side title="Input" side={input} />
      <Side title="Output" side={output} />
      <Log side={log} startedAt={call.created_at} />
      <p className="text-muted text-xs">
        Stored encrypted until <DateTime at={expiresAt} format="exact" className="whitespace-normal" />.
      </p>
    </>
  );
}

function NotStored({ isHidden, team }: { isHidden: boolean; team: string | null }) {
  return (
    <section>
      <h3 className="font-medium text-muted text-xs">Input, output and log</h3>
      <p className="mt-1 text-sm">
        {isHidden ? (
          'Only owners and admins of the team can read the contents of other members’ calls.'
        ) : (
          <>
            Not stored. <Reason team={team} />
          </>
        )}
      </p>
    </section>
  );
}

function Reason({ team }: { team: string | null }) {
  const settings = useContentSettings(team ?? undefined).data;
  return settings && <WhyNotStored settings={settings} team={team} purpose="to see them here" />;
}

function Side({ title, side }: { title: string; side: ContentSide }) {
  return (
    <section>
      <Heading title={title} side={side} />
      <div className="mt-1 max-h-80 overflow-auto rounded-lg border bg-sunken p-3">
        <JsonTree value={JSON.parse(side.json)} label={title} />
      </div>
    </section>
  );
}

/** Times are seconds since the start, as in the playground. */
function Log({ side, startedAt }: { side: ContentSide; startedAt: string }) {
  const { zone } = useTimes();
  const lines: { at: string; message: string }[] = JSON.parse(side.json);
  if (lines.length === 0) return null;
  return (
    <section>
      <Heading title="Log" side={side} />
      <ol className="mt-1 max-h-80 overflow-auto rounded-lg border bg-sunken p-3 font-mono text-xs leading-5">
        {lines.map(({ at, message }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change
          <li key={index} className="flex gap-3">
            <time
              dateTime={at}
              title={formatTime(new Date(at), 'second', zone)}
              className="w-16 shrink-0 text-right text-muted"
            >
              {formatSeconds(Date.parse(at) - Date.parse(startedAt))}
            </time>
            <span className="min-w-0 whitespace-pre-wrap break-words">{message}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Never negative: the clocks of the gateway's processes may differ. */
function formatSeconds(ms: number): string {
  return `${(Math.max(0, ms) / 1_000).toFixed(2)} s`;
}

function Heading({ title, side }: { title: string; side: ContentSide }) {
  return (
    <div className="flex min-h-8 items-center gap-2">
      <h3 className="font-medium text-muted text-xs">{title}</h3>
      {side.truncated && <Badge>Truncated</Badge>}
      {side.redacted && <Badge>Redacted</Badge>}
      <CopyButton
        value={() => JSON.stringify(JSON.parse(side.json), null, 2)}
        label={`Copy ${title.toLowerCase()}`}
        className="ml-auto"
      />
    </div>
  );
}

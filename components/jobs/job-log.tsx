'use client';

import { useLayoutEffect, useRef, useState } from 'react';
import type { JobLine } from '@/server/calls/jobs/schema';
import { formatCount } from '../shared/format';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { ArrowDown } from '../ui/icons';
import { formatTime } from '../ui/time-format';
import { useTimes } from '../ui/time-provider';

/** Within this distance of the end, the log counts as scrolled to the end. */
const AT_END_PX = 24;

interface JobLogProps {
  lines: readonly JobLine[];
  /** Whether more lines may arrive. */
  live: boolean;
}

/** The log of a job with timestamps. Follows the end unless the reader has scrolled up. */
export function JobLog({ lines, live }: JobLogProps) {
  const box = useRef<HTMLDivElement>(null);
  const [follows, setFollows] = useState(true);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line moves the end
  useLayoutEffect(() => {
    if (follows && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [follows, lines.length]);

  return (
    <section aria-label="Log" className="flex flex-col gap-2">
      <div className="flex h-8 items-center justify-between gap-3">
        <h3 className="font-semibold text-sm">
          Log{' '}
          {lines.length > 0 && (
            <span className="font-normal text-muted">{formatCount(lines.length, 'line')}</span>
          )}
        </h3>
        {lines.length > 0 && <CopyButton value={lines.map(lineText).join('\n')} label="Copy the log" />}
      </div>
      <div className="relative">
        <div
          ref={box}
          role="log"
          aria-label="Log lines"
          aria-live={live ? 'polite' : 'off'}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard
          tabIndex={0}
          className="max-h-72 min-h-16 overflow-auto rounded-lg border bg-sunken p-3 font-mono text-xs leading-5 focus-visible:-outline-offset-2"
          onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) =>
            setFollows(scrollHeight - scrollTop - clientHeight <= AT_END_PX)
          }
        >
          {lines.length === 0 ? (
            <p className="text-muted">{live ? 'No output yet.' : 'No log output.'}</p>
          ) : (
            lines.map((line) => <Line key={line.seq} line={line} />)
          )}
        </div>
        {live && !follows && (
          <Button
            size="sm"
            className="absolute right-3 bottom-3 bg-raised shadow-pop"
            onClick={() => {
              setFollows(true);
              box.current?.focus();
            }}
          >
            <ArrowDown aria-hidden />
            Follow
          </Button>
        )}
      </div>
    </section>
  );
}

function Line({ line: { at, message } }: { line: JobLine }) {
  return (
    <p className="flex gap-3">
      <LineTime at={at} />
      <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{message}</span>
    </p>
  );
}

/** In the reader's time zone: the drawer is rendered only in the browser. */
function LineTime({ at }: { at: string }) {
  const { zone } = useTimes();
  const moment = new Date(at);
  return (
    <time dateTime={at} title={formatTime(moment, 'second', zone)} className="shrink-0 text-muted">
      {formatTime(moment, 'clock', zone)}
    </time>
  );
}

function lineText({ at, message }: JobLine): string {
  return `${at} ${message}`;
}

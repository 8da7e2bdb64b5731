'use client';

import { useEffect, useRef, useState } from 'react';
import { Meter } from '../ui/meter';
import type { Run } from './runs';

const SECOND_MS = 1_000;
/** Within this distance of the end, the log keeps scrolling to new lines. */
const NEAR_END_PX = 40;

/** The log of a run, with the seconds since its start, and its progress. */
export function RunLog({ run }: { run: Run }) {
  const box = useRef<HTMLDivElement>(null);
  const { lines, progress, state } = run;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll after each new line
  useEffect(() => {
    const log = box.current;
    if (log && log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PX + 20)
      log.scrollTop = log.scrollHeight;
  }, [lines.length]);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {progress !== null && (
        <div className="flex items-center gap-3">
          <Meter kind="progress" label="Progress" value={progress} max={1} valueText={percent(progress)} />
          <span className="w-10 shrink-0 text-right text-muted text-xs">{percent(progress)}</span>
        </div>
      )}
      <div
        ref={box}
        role="log"
        aria-live="polite"
        aria-label="Log"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled with the keyboard
        tabIndex={0}
        className="max-h-56 overflow-y-auto rounded-md bg-sunken px-3 py-2 font-mono text-xs leading-5 focus-visible:-outline-offset-2"
      >
        {lines.length === 0 && (
          <p className="text-muted">
            {state === 'running' ? 'Waiting for the first line.' : 'No log output.'}
          </p>
        )}
        {lines.map((line) => (
          <p key={line.seq} className="flex gap-3">
            <time dateTime={line.at} title={line.at} className="w-14 shrink-0 text-right text-muted">
              {formatSeconds(Date.parse(line.at) - run.startedAt)}
            </time>
            <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{line.message}</span>
          </p>
        ))}
      </div>
    </div>
  );
}

function percent(progress: number): string {
  return `${Math.floor(progress * 100)}%`;
}

/** `1.4 s`. Never negative: the clocks of server and browser may differ. */
export function formatSeconds(ms: number): string {
  return `${(Math.max(0, ms) / SECOND_MS).toFixed(1)} s`;
}

/** The elapsed time, updated every second, or the final duration. */
export function Elapsed({ run }: { run: Run }) {
  const [now, setNow] = useState(run.startedAt);
  useEffect(() => {
    if (run.endedAt !== null) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [run.endedAt]);
  if (run.endedAt !== null) return formatSeconds(run.endedAt - run.startedAt);
  return `${Math.max(0, Math.floor((now - run.startedAt) / SECOND_MS))} s`;
}

'use client';

import { useSyncExternalStore } from 'react';
import type { JobSummary } from '@/server/calls/jobs/schema';
import { formatDuration } from '../shared/format';

const SECOND_MS = 1_000;
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One timer shared by all running durations. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    for (const each of listeners) each();
  }, SECOND_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

const never = () => () => {};
const currentSecond = () => Math.floor(Date.now() / SECOND_MS);

interface JobDurationProps {
  job: Pick<JobSummary, 'elapsed_seconds' | 'finished_at'>;
  /** When the browser received the job, by its own clock; the server's clock is not used. */
  receivedAt: number;
}

/** How long a job took; counts up in whole seconds while it runs. */
export function JobDuration({ job, receivedAt }: JobDurationProps) {
  const running = job.finished_at === null;
  const elapsedMs = job.elapsed_seconds * SECOND_MS;
  const second = useSyncExternalStore(running ? subscribe : never, currentSecond, () => null);
  if (!running) return <span className="whitespace-nowrap">{formatDuration(elapsedMs)}</span>;
  const since = second === null ? 0 : Math.max(0, Date.now() - receivedAt);
  return <span className="whitespace-nowrap">{formatRunning(elapsedMs + since)}</span>;
}

/** `12 s`, `2 min 5 s`. */
function formatRunning(ms: number): string {
  const seconds = Math.floor(ms / SECOND_MS);
  return seconds < 60 ? `${seconds} s` : formatDuration(seconds * SECOND_MS);
}

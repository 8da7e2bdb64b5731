'use client';

import { useEffect, useRef, useState } from 'react';
import type { JobEvents, JobLine, OwnJobDetail } from '@/server/calls/jobs/schema';
import { retryDelay } from '../live/channel';
import { isOpen } from '../shared/job-status';

export interface FollowedLog {
  lines: readonly JobLine[];
  status: OwnJobDetail['status'];
  progress: number | null;
}

/**
 * Streams the log of a job while the tab is visible. After a reconnect it continues after the last
 * line received, without gaps or duplicates.
 * @param onEnd called when the job has ended and its final state can be fetched
 */
export function useJobLog(job: OwnJobDetail, onEnd: () => void): FollowedLog {
  const [more, setMore] = useState<readonly JobLine[]>([]);
  const [state, setState] = useState<JobEvents['state'] | null>(null);
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  const known = job.log.at(-1)?.seq ?? 0;
  const last = useRef(known);
  const { job_id: id } = job;
  const follows = isOpen(job.status);

  useEffect(() => {
    if (!follows) return;
    return followLog(id, last, {
      lines: (lines) => setMore((before) => [...before, ...lines]),
      state: setState,
      end: () => end.current(),
    });
  }, [id, follows]);

  // A refetched log already contains some of the streamed lines.
  const lines = [...job.log, ...more.filter(({ seq }) => seq > known)];
  return follows && state ? { lines, ...state } : { lines, status: job.status, progress: job.progress };
}

interface Listener {
  lines: (lines: JobLine[]) => void;
  state: (state: JobEvents['state']) => void;
  end: () => void;
}

/** @param last the sequence number to resume after; updated as lines arrive */
function followLog(id: string, last: { current: number }, listener: Listener): () => void {
  let source: EventSource | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;

  function close() {
    clearTimeout(retry);
    source?.close();
    source = null;
  }

  function connect() {
    close();
    if (document.visibilityState === 'hidden') return;
    const line = new EventSource(`/api/live/jobs/${encodeURIComponent(id)}?after=${last.current}`);
    source = line;
    line.addEventListener('lines', ({ data }) => {
      const { lines }: JobEvents['lines'] = JSON.parse(data);
      const fresh = lines.filter(({ seq }) => seq > last.current);
      last.current = fresh.at(-1)?.seq ?? last.current;
      if (fresh.length > 0) listener.lines(fresh);
    });
    line.addEventListener('state', ({ data }) => {
      failures = 0;
      listener.state(JSON.parse(data));
    });
    for (const name of ['end', 'over'])
      line.addEventListener(name, () => {
        close();
        document.removeEventListener('visibilitychange', connect);
        if (name === 'end') listener.end();
      });
    line.addEventListener('error', () => {
      if (source !== line) return;
      close();
      failures++;
      retry = setTimeout(connect, retryDelay(failures));
    });
  }

  document.addEventListener('visibilitychange', connect);
  connect();
  return () => {
    document.removeEventListener('visibilitychange', connect);
    close();
  };
}

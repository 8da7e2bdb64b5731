'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { ErrorBody } from '@/server/core/errors/schema';
import { trpc } from '../shared/trpc-provider';
import { readEvents, type StreamEvent } from './event-stream';
import { type CallError, type CallRequest, changeRuns, type Run } from './runs';

const RUN_PATH = '/dashboard/playground/run';
/** Query keys that a call invalidates. */
const INVALIDATED = ['balance', 'usage', 'jobs', 'assets', 'playground'];
/** A job in the queue can be cancelled once it runs. */
const CANCEL_TRIES = 30;
const CANCEL_PAUSE_MS = 300;
/** Broken connections in a row, and the pause after each, which grows. */
const MAX_LOST = 8;
const RESUME_PAUSE_MS = 500;

const UNREACHABLE: CallError = {
  code: 'UNAVAILABLE',
  message: 'The gateway did not respond.',
  resolution_hint: 'Check your connection and run it again.',
};

/** The runs of this session. */
export function useRuns() {
  const queries = useQueryClient();
  const [runs, change] = useReducer(changeRuns, []);
  const [shownNumber, show] = useState<number | null>(null);
  const count = useRef(0);
  const following = useRef(new Map<number, AbortController>());

  useEffect(() => {
    const all = following.current;
    // Leaving the page stops reading the streams; the calls continue.
    return () => {
      for (const controller of all.values()) controller.abort();
    };
  }, []);

  const run = useCallback(
    async (call: CallRequest) => {
      const number = ++count.current;
      const controller = new AbortController();
      following.current.set(number, controller);
      change({ kind: 'begin', number, call, at: Date.now() });
      show(number);
      try {
        await follow(call, controller.signal, (event) =>
          change({ kind: 'event', number, event, at: Date.now() }),
        );
        // A stream ends with a final event. Without one the connection was lost and the call
        // continues.
        change({ kind: 'leave', number, at: Date.now() });
      } catch (thrown) {
        if (!controller.signal.aborted)
          change({ kind: 'fail', number, error: toCallError(thrown), at: Date.now() });
      } finally {
        following.current.delete(number);
        for (const name of INVALIDATED) void queries.invalidateQueries({ queryKey: [name] });
      }
    },
    [queries],
  );

  const leave = useCallback((number: number) => {
    following.current.get(number)?.abort();
    change({ kind: 'leave', number, at: Date.now() });
  }, []);

  const cancel = useCallback(
    async ({ number, jobId }: Run) => {
      if (jobId === null) return leave(number);
      const isFollowed = () => following.current.has(number);
      // The stream may report the cancelled call as failed before this returns.
      if (await cancelJob(jobId, isFollowed)) change({ kind: 'cancelled', number, at: Date.now() });
      else if (isFollowed()) leave(number);
    },
    [leave],
  );

  const shown = runs.find(({ number }) => number === shownNumber) ?? runs[0] ?? null;
  return { runs, shown, show, run, leave, cancel };
}

/**
 * Reads the events of a call to the end, and reconnects if the stream breaks off.
 * @throws Refused, or what fetch throws
 */
async function follow(
  call: CallRequest,
  signal: AbortSignal,
  onEvent: (event: StreamEvent) => void,
): Promise<void> {
  let next = () => startCall(call, signal);
  let jobId: string | undefined;
  for (let lost = 0; ; lost++) {
    try {
      const response = await next();
      if (!response.ok || !response.body) throw new Refused(await readRefusal(response));
      for await (const event of readEvents(response.body)) {
        lost = 0;
        onEvent(event);
        if (event.event === 'result' || event.event === 'error') return;
        if (event.event === 'started') jobId = (event.data as { job_id?: string }).job_id;
        next = () => resumeCall(jobId ?? '', event.id, signal);
      }
    } catch (error) {
      const away = !(error instanceof Refused) || error.refusal.code === 'UNAVAILABLE';
      if (jobId === undefined || signal.aborted || !away) throw error;
    }
    // Without a job the stream cannot be resumed.
    if (jobId === undefined || lost >= MAX_LOST) return;
    await new Promise((resolve) => setTimeout(resolve, RESUME_PAUSE_MS * (lost + 1)));
  }
}

const startCall = (call: CallRequest, signal: AbortSignal) =>
  fetch(RUN_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(call),
    signal,
  });

const resumeCall = (jobId: string, lastEventId: string, signal: AbortSignal) =>
  fetch(`/api/live/jobs/${encodeURIComponent(jobId)}/events`, {
    headers: { 'Last-Event-ID': lastEventId },
    signal,
  });

/** The gateway's error response. */
class Refused extends Error {
  constructor(readonly refusal: CallError) {
    super(refusal.message);
  }
}

async function readRefusal(response: Response): Promise<CallError> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  return body?.error ?? UNREACHABLE;
}

function toCallError(thrown: unknown): CallError {
  return thrown instanceof Refused ? thrown.refusal : UNREACHABLE;
}

/**
 * Cancels the call's job, and retries while it waits in the queue.
 * @returns false if it has ended, or could not be cancelled
 */
async function cancelJob(jobId: string, isOpen: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < CANCEL_TRIES; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, CANCEL_PAUSE_MS));
    const cancelled = await trpc.jobs.cancelOwn.mutate({ jobId }).then(
      () => true,
      () => false,
    );
    if (cancelled || !isOpen()) return cancelled;
  }
  return false;
}

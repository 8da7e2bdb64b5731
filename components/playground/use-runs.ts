'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import type { ErrorBody } from '@/server/core/errors/schema';
import { trpc } from '../shared/trpc-provider';
import { readEvents } from './event-stream';
import { type CallError, changeRuns, type Run, type WantedCall } from './runs';

const RUN_PATH = '/dashboard/playground/run';
/** What a call changes: answers of the server that are no longer so. */
const CHANGED = ['balance', 'usage', 'jobs', 'assets', 'playground'];
/** A call that is left becomes a job in a moment, and only a job can be cancelled. */
const CANCEL_TRIES = 6;
const CANCEL_PAUSE_MS = 300;

const UNREACHABLE: CallError = {
  code: 'UNAVAILABLE',
  message: 'The gateway did not answer.',
  resolution_hint: 'Check your connection and run it again.',
};

/** The calls of this session: run, followed, left, cancelled. */
export function useRuns() {
  const queries = useQueryClient();
  const [runs, change] = useReducer(changeRuns, []);
  const [shownNumber, show] = useState<number | null>(null);
  const count = useRef(0);
  const following = useRef(new Map<number, AbortController>());

  useEffect(() => {
    const all = following.current;
    // A page that is left follows nothing any more; the calls go on.
    return () => {
      for (const controller of all.values()) controller.abort();
    };
  }, []);

  const run = useCallback(
    async (call: WantedCall) => {
      const number = ++count.current;
      const controller = new AbortController();
      following.current.set(number, controller);
      change({ kind: 'begin', number, call, at: Date.now() });
      show(number);
      try {
        await follow(call, controller.signal, (event) =>
          change({ kind: 'event', number, event, at: Date.now() }),
        );
        // The end is told before the stream ends; without it the line was cut, and the call goes on.
        change({ kind: 'leave', number, at: Date.now() });
      } catch (thrown) {
        if (!controller.signal.aborted)
          change({ kind: 'fail', number, error: errorOf(thrown), at: Date.now() });
      } finally {
        following.current.delete(number);
        for (const name of CHANGED) void queries.invalidateQueries({ queryKey: [name] });
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
      const stopped = await stopJob(jobId, () => leave(number));
      if (!stopped) return;
      change({ kind: 'cancelled', number, at: Date.now() });
      following.current.get(number)?.abort();
    },
    [leave],
  );

  const shown = runs.find(({ number }) => number === shownNumber) ?? runs[0] ?? null;
  return { runs, shown, show, run, leave, cancel };
}

/** Reads the events of a call to its end. @throws Refused, or what fetch throws */
async function follow(
  call: WantedCall,
  signal: AbortSignal,
  tell: (event: { event: string; data: unknown }) => void,
): Promise<void> {
  const response = await fetch(RUN_PATH, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(call),
    signal,
  });
  if (!response.ok || !response.body) throw new Refused(await refusalOf(response));
  for await (const event of readEvents(response.body)) tell(event);
}

/** What the gateway said instead of running the call. */
class Refused extends Error {
  constructor(readonly refusal: CallError) {
    super(refusal.message);
  }
}

async function refusalOf(response: Response): Promise<CallError> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null;
  return body?.error ?? UNREACHABLE;
}

function errorOf(thrown: unknown): CallError {
  return thrown instanceof Refused ? thrown.refusal : UNREACHABLE;
}

/** Stops a call: where it is, if it is a job already; else it becomes one as soon as nobody follows it. */
async function stopJob(jobId: string, leave: () => void): Promise<boolean> {
  if (await cancelJob(jobId, 1)) return true;
  leave();
  return await cancelJob(jobId, CANCEL_TRIES);
}

/** Whether it was stopped; false where its end came first, or it is no job yet. */
async function cancelJob(jobId: string, tries: number): Promise<boolean> {
  for (let at = 0; at < tries; at++) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, CANCEL_PAUSE_MS));
    const cancelled = await trpc.jobs.cancelOwn.mutate({ jobId }).then(
      () => true,
      () => false,
    );
    if (cancelled) return true;
  }
  return false;
}

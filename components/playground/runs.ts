import type { CallResult } from '@/server/calls/result/schema';
import type { ErrorBody } from '@/server/core/errors/schema';
import type { StreamEvent } from './event-stream';

export type JsonObject = Record<string, unknown>;
export type CallError = Pick<
  ErrorBody['error'],
  'code' | 'message' | 'resolution_hint' | 'request_id' | 'fields' | 'retry_after'
>;

/** The call that one press of Run makes. */
export interface CallRequest {
  tool: string;
  skill: string;
  input: JsonObject;
  billing?: string;
  /** The price that the page showed: the call costs at most that. */
  max_cost_usd?: number;
}

export interface LogLine {
  seq: number;
  at: string;
  message: string;
}

/** A call of this session, as far as its outcome is known. */
export interface Run {
  number: number;
  call: CallRequest;
  /** `left`: the call continues, but its stream is no longer read. */
  state: 'running' | 'succeeded' | 'failed' | 'cancelled' | 'left';
  startedAt: number;
  endedAt: number | null;
  callId: string | null;
  /** The job the call becomes if it continues; null on a gateway without jobs. */
  jobId: string | null;
  lines: readonly LogLine[];
  progress: number | null;
  result: CallResult | null;
  error: CallError | null;
}

export type RunAction =
  | { kind: 'begin'; number: number; call: CallRequest; at: number }
  | { kind: 'event'; number: number; event: StreamEvent; at: number }
  | { kind: 'fail'; number: number; error: CallError; at: number }
  | { kind: 'leave' | 'cancelled'; number: number; at: number };

/** Limits of the runs a page keeps, and of the log lines per run. */
const MAX_RUNS = 20;
const MAX_LINES = 1_000;

/** Reducer of the session's runs, newest first. */
export function changeRuns(runs: readonly Run[], action: RunAction): readonly Run[] {
  if (action.kind === 'begin') return [createRun(action), ...runs].slice(0, MAX_RUNS);
  return runs.map((run) =>
    run.number === action.number && isOpen(run, action) ? applyAction(run, action) : run,
  );
}

/** Cancelling ends a call with an error, and its stream may have reported that first. */
function isOpen({ state }: Run, { kind }: RunAction): boolean {
  return state === 'running' || (kind === 'cancelled' && (state === 'left' || state === 'failed'));
}

function createRun({ number, call, at }: Extract<RunAction, { kind: 'begin' }>): Run {
  return {
    number,
    call,
    state: 'running',
    startedAt: at,
    endedAt: null,
    callId: null,
    jobId: null,
    lines: [],
    progress: null,
    result: null,
    error: null,
  };
}

function applyAction(run: Run, action: Exclude<RunAction, { kind: 'begin' }>): Run {
  switch (action.kind) {
    case 'fail':
      return { ...run, state: 'failed', endedAt: action.at, error: action.error };
    case 'leave':
      return { ...run, state: 'left', endedAt: action.at };
    case 'cancelled':
      return { ...run, state: 'cancelled', endedAt: run.endedAt ?? action.at, error: null };
    case 'event':
      return applyEvent(run, action.event, action.at);
  }
}

function applyEvent(run: Run, { event, data }: StreamEvent, at: number): Run {
  if (event === 'started') {
    const { id, job_id } = data as { id: string; job_id?: string };
    return { ...run, callId: id, jobId: job_id ?? null };
  }
  if (event === 'progress') {
    const line = data as LogLine & { progress?: number };
    const progress = line.progress ?? run.progress;
    // Progress without a message repeats the sequence number of the last line.
    const isNew = line.seq > (run.lines.at(-1)?.seq ?? 0);
    return { ...run, progress, lines: isNew ? [...run.lines, line].slice(-MAX_LINES) : run.lines };
  }
  if (event === 'result') {
    const result = data as CallResult;
    return { ...run, state: 'succeeded', endedAt: at, result, callId: result.id ?? run.callId };
  }
  if (event === 'error') return { ...run, state: 'failed', endedAt: at, error: (data as ErrorBody).error };
  return run;
}

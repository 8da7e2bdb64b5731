import { randomBytes } from 'node:crypto';
import type { Sql } from '@/db/client';
import { createIdempotencyLeases, type IdempotencyLeases } from '../core/idempotency/idempotency-leases';
import type { Quotas } from '../core/limits/windows';
import { type ResolvedKey, resolveKeys } from '../identity/keys/resolve-keys';
import { GroupCommit } from '../kit/group-commit';
import { PACE } from '../platform/settings/pace';
import type { OpenOptions, OpenRequest, OpenResult } from './admission/store';
import { exchangeCalls } from './admission/store';
import { type Appended, appendJobLogs, type LogAppend, weighAppend } from './jobs/job-log-store';
import { type CommitRequest, type CommitResult, commitCalls } from './run-first/commit-store';
import { type CloseRequest, type CloseResult, type FinishRequest, finishCalls } from './settlement/store';

/** A close with a lost response is retried: it settles a call only once. */
const CLOSE_ATTEMPTS = 4;
/** The request waits during the retries. After this time the reaper ends the call. */
const CLOSE_GIVE_UP_MS = 15_000;

/** Two lanes: PostgreSQL works on one group while this process handles the other. */
const EXCHANGE_LANES = 2;
const COMMIT_LANES = 2;

/** An item of the exchange group: a call to open or a call to close. */
type Step = { open: OpenRequest } | { close: CloseRequest };

/** The group commits that all calls of this process use. */
export interface CallFlush {
  /**
   * Identifies the calls opened by this process. While their lease lasts, no other process closes
   * them.
   */
  readonly fence: string;
  readonly leaseSeconds: number;
  /** Delay before the first retry of a statement with a lost response, in milliseconds. */
  readonly retryMs: number;
  resolveKey(hashHex: string): Promise<ResolvedKey | null>;
  /** Acquires an idempotency record, or returns why it cannot. */
  acquireIdempotencyKey: IdempotencyLeases['acquire'];
  openCall(request: OpenRequest): Promise<OpenResult>;
  closeCall(request: CloseRequest): Promise<CloseResult>;
  /** Admits, charges and records a call that has already run; null if it must be admitted first. */
  commitCall(request: CommitRequest): Promise<CommitResult | null>;
  /** Like closeCall, for a call that is a job or has an Idempotency-Key. */
  finishCall(request: FinishRequest): Promise<CloseResult>;
  /** Appends log lines and progress of a job that runs in this process. */
  appendLog(append: LogAppend): Promise<Appended>;
  /** Flushes and their items so far, for benchmarks and metrics. */
  counts(): Record<
    'resolve' | 'acquire' | 'exchange' | 'commit' | 'finish' | 'log',
    { flushes: number; items: number; seconds: number }
  >;
}

interface FlushOptions {
  leaseSeconds: number;
  quotas: Quotas;
  retryMs?: number;
}

/** Creates the group commits on a connection pool. */
export function createCallFlush(
  sql: Sql,
  { retryMs = PACE.callRetryMs, ...options }: FlushOptions,
): CallFlush {
  const fence = randomBytes(12).toString('hex');
  const resolve = new GroupCommit<string, ResolvedKey | null>((hashes) => resolveKeys(sql, hashes), 2);
  const leases = createIdempotencyLeases(sql);
  const exchangeOptions = { fence, ...options };
  const exchange = new GroupCommit<Step, OpenResult | CloseResult>(
    (steps) => exchangeSteps(sql, steps, exchangeOptions),
    EXCHANGE_LANES,
  );
  const commit = new GroupCommit<CommitRequest, CommitResult | null>(
    (requests) => commitCalls(sql, requests, options.quotas),
    COMMIT_LANES,
    ({ record }) => record?.reply.length ?? 0,
  );
  const finish = new GroupCommit<FinishRequest, CloseResult>(
    (requests) => finishCalls(sql, requests, fence),
    1,
    ({ result }) => result.length,
  );
  const log = new GroupCommit<LogAppend, Appended>(
    (appends) => appendJobLogs(sql, appends, fence),
    1,
    weighAppend,
  );
  return {
    fence,
    leaseSeconds: options.leaseSeconds,
    retryMs,
    resolveKey: (hash) => resolve.submit(hash),
    acquireIdempotencyKey: leases.acquire,
    // Results are in the order of the steps, so each has the type of its step.
    openCall: (request) => exchange.submit({ open: request }) as Promise<OpenResult>,
    closeCall: (request) =>
      closeWithRetries(retryMs, () => exchange.submit({ close: request }) as Promise<CloseResult>),
    commitCall: (request) => commit.submit(request),
    finishCall: (request) => closeWithRetries(retryMs, () => finish.submit(request)),
    appendLog: (append) => log.submit(append),
    counts: () => ({
      resolve: { ...resolve.counts },
      acquire: { ...leases.counts },
      exchange: { ...exchange.counts },
      commit: { ...commit.counts },
      finish: { ...finish.counts },
      log: { ...log.counts },
    }),
  };
}

async function exchangeSteps(
  sql: Sql,
  steps: Step[],
  options: OpenOptions,
): Promise<(OpenResult | CloseResult)[]> {
  const begun: OpenRequest[] = [];
  const ended: CloseRequest[] = [];
  for (const step of steps)
    if ('open' in step) begun.push(step.open);
    else ended.push(step.close);
  const { opened, closed } = await exchangeCalls(sql, ended, begun, options);
  let nextOpened = 0;
  let nextClosed = 0;
  return steps.map((step) => ('open' in step ? opened[nextOpened++] : closed[nextClosed++])) as (
    | OpenResult
    | CloseResult
  )[];
}

async function closeWithRetries(retryMs: number, close: () => Promise<CloseResult>): Promise<CloseResult> {
  const begun = performance.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await close();
    } catch (error) {
      if (attempt >= CLOSE_ATTEMPTS || performance.now() - begun > CLOSE_GIVE_UP_MS) throw error;
      await new Promise((done) => setTimeout(done, retryMs * 2 ** attempt));
    }
  }
}

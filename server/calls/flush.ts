import { randomBytes } from 'node:crypto';
import type { Sql } from '@/db/client';
import { GroupCommit } from '../group-commit';
import { type ResolvedKey, resolveKeys } from '../keys/resolve-keys';
import type { Quotas } from '../limits/windows';
import { type FinishRequest, finishCalls } from './job-store';
import {
  type CloseRequest,
  type CloseResult,
  exchangeCalls,
  type OpenOptions,
  type OpenRequest,
  type OpenResult,
} from './store';

/** A close whose answer was lost is asked for again: it is settled once, however often. */
const CLOSE_ATTEMPTS = 4;
const CLOSE_RETRY_MS = 250;

/** One group is decided in Postgres while this process works on the answers of the other. */
const EXCHANGE_LANES = 2;

/** What a flush carries: calls that begin and calls that have ended. */
type Step = { open: OpenRequest } | { close: CloseRequest };

/** The group commits that every call of this process passes. */
export interface CallFlush {
  /** Marks the calls this process opened; nobody else closes them while their lease lasts. */
  readonly fence: string;
  readonly leaseSeconds: number;
  resolveKey(hashHex: string): Promise<ResolvedKey | null>;
  openCall(request: OpenRequest): Promise<OpenResult>;
  closeCall(request: CloseRequest): Promise<CloseResult>;
  /** closeCall for a call that is a job or has an Idempotency-Key. */
  finishCall(request: FinishRequest): Promise<CloseResult>;
  /** Flushes and what they carried so far, for the bench. */
  counts(): Record<'resolve' | 'exchange', { flushes: number; items: number }>;
}

/** Group commits on this pool. */
export function createCallFlush(sql: Sql, options: { leaseSeconds: number; quotas: Quotas }): CallFlush {
  const fence = randomBytes(12).toString('hex');
  const resolve = new GroupCommit<string, ResolvedKey | null>((hashes) => resolveKeys(sql, hashes), 2);
  const exchangeOptions = { fence, ...options };
  const exchange = new GroupCommit<Step, OpenResult | CloseResult>(
    (steps) => exchangeSteps(sql, steps, exchangeOptions),
    EXCHANGE_LANES,
  );
  const finish = new GroupCommit<FinishRequest, CloseResult>(
    (requests) => finishCalls(sql, requests, fence),
    1,
    ({ result }) => result.length,
  );
  return {
    fence,
    leaseSeconds: options.leaseSeconds,
    resolveKey: (hash) => resolve.submit(hash),
    // The n-th result belongs to the n-th step, so it is of its kind.
    openCall: (request) => exchange.submit({ open: request }) as Promise<OpenResult>,
    closeCall: (request) =>
      closeWithRetries(() => exchange.submit({ close: request }) as Promise<CloseResult>),
    finishCall: (request) => closeWithRetries(() => finish.submit(request)),
    counts: () => ({ resolve: { ...resolve.counts }, exchange: { ...exchange.counts } }),
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

function closeWithRetries(close: () => Promise<CloseResult>, attempt = 1): Promise<CloseResult> {
  return close().catch(async (error) => {
    if (attempt >= CLOSE_ATTEMPTS) throw error;
    await new Promise((done) => setTimeout(done, CLOSE_RETRY_MS * 2 ** attempt));
    return await closeWithRetries(close, attempt + 1);
  });
}

import { randomBytes } from 'node:crypto';
import type { Sql } from '@/db/client';
import { type ResolvedKey, resolveKeys } from '../keys/resolve-keys';
import type { Quotas } from '../limits/windows';
import { GroupCommit } from './group-commit';
import {
  type CloseRequest,
  type CloseResult,
  closeCalls,
  type OpenRequest,
  type OpenResult,
  openCalls,
} from './store';

/** A close whose answer was lost is asked for again: it is settled once, however often. */
const CLOSE_ATTEMPTS = 4;
const CLOSE_RETRY_MS = 250;

/** The three group commits that every call of this process passes. */
export interface CallFlush {
  /** Marks the calls this process opened; nobody else closes them while their lease lasts. */
  readonly fence: string;
  readonly leaseSeconds: number;
  resolveKey(hashHex: string): Promise<ResolvedKey | null>;
  openCall(request: OpenRequest): Promise<OpenResult>;
  closeCall(request: CloseRequest): Promise<CloseResult>;
  /** Flushes and calls so far, for the bench. */
  counts(): Record<'resolve' | 'open' | 'close', { flushes: number; items: number }>;
}

/** Group commits on this pool. */
export function createCallFlush(sql: Sql, options: { leaseSeconds: number; quotas: Quotas }): CallFlush {
  const fence = randomBytes(12).toString('hex');
  const resolve = new GroupCommit<string, ResolvedKey | null>((hashes) => resolveKeys(sql, hashes), 2);
  const open = new GroupCommit<OpenRequest, OpenResult>((requests) =>
    openCalls(sql, requests, { ...options, fence }),
  );
  const close = new GroupCommit<CloseRequest, CloseResult>((requests) => closeCalls(sql, requests, fence));
  return {
    fence,
    leaseSeconds: options.leaseSeconds,
    resolveKey: (hash) => resolve.submit(hash),
    openCall: (request) => open.submit(request),
    closeCall: (request) => closeWithRetries(close, request),
    counts: () => ({ resolve: { ...resolve.counts }, open: { ...open.counts }, close: { ...close.counts } }),
  };
}

async function closeWithRetries(
  close: GroupCommit<CloseRequest, CloseResult>,
  request: CloseRequest,
): Promise<CloseResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await close.submit(request);
    } catch (error) {
      if (attempt >= CLOSE_ATTEMPTS) throw error;
      await new Promise((done) => setTimeout(done, CLOSE_RETRY_MS * 2 ** attempt));
    }
  }
}

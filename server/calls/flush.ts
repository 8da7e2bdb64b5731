import { randomBytes } from 'node:crypto';
import type { Sql } from '@/db/client';
import { createIdempotencyLeases, type IdempotencyLeases } from '../core/idempotency/idempotency-leases';
import type { Quotas } from '../core/limits/windows';
import { type ResolvedKey, resolveKeys } from '../identity/keys/resolve-keys';
import { GroupCommit } from '../kit/group-commit';
import { retryLost } from '../kit/retry-lost';
import type { Vault } from '../platform/ports/ports';
import { PACE } from '../platform/settings/pace';
import { type AdmitRequest, type AdmitResult, admitCalls } from './admission/store';
import { redactAndShorten } from './contents/redact-text';
import { SEAL_MARK, sealMessage } from './contents/seal-message';
import { type Appended, appendJobLogs, type LogAppend, weighAppend } from './jobs/job-log-store';
import { type PromoteRequest, promoteCalls } from './jobs/promote-store';
import { type CommitRequest, type CommitResult, commitCalls } from './run-first/commit-store';
import { type EndRequest, type EndResult, endCalls } from './settlement/store';

/** Of a failed call; the rest of its message is left out. */
const MAX_MESSAGE_CHARS = 400;

/** Two lanes: PostgreSQL works on one group while this process handles the other. */
const LANES = 2;

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
  admitCall(request: AdmitRequest): Promise<AdmitResult>;
  /** Charges or releases a call; with a response also ends its job and stores the response. */
  endCall(request: EndRequest): Promise<EndResult>;
  /** Admits, charges and records a call that has already run; null if it must be admitted first. */
  commitCall(request: CommitRequest): Promise<CommitResult | null>;
  /** Turns a running call of this process into a job; false if it has already ended. */
  promoteCall(request: PromoteRequest): Promise<boolean>;
  /** Appends log lines and progress of a job that runs in this process. */
  appendLog(append: LogAppend): Promise<Appended>;
  /** Flushes and their items so far, for benchmarks and metrics. */
  counts(): Record<
    'resolve' | 'acquire' | 'admit' | 'promote' | 'commit' | 'end' | 'log',
    { flushes: number; items: number; seconds: number }
  >;
}

interface FlushOptions {
  leaseSeconds: number;
  quotas: Quotas;
  seal: Vault['seal'];
  retryMs?: number;
}

/** Creates the group commits on a connection pool. */
export function createCallFlush(
  sql: Sql,
  { retryMs = PACE.callRetryMs, seal, ...options }: FlushOptions,
): CallFlush {
  const fence = randomBytes(12).toString('hex');
  const resolve = new GroupCommit<string, ResolvedKey | null>((hashes) => resolveKeys(sql, hashes), 2);
  const leases = createIdempotencyLeases(sql);
  const admit = new GroupCommit<AdmitRequest, AdmitResult>(
    (requests) => admitCalls(sql, requests, { fence, ...options }),
    LANES,
  );
  const promote = new GroupCommit<PromoteRequest, boolean>(
    (requests) => promoteCalls(sql, requests, fence),
    LANES,
    ({ reply }) => reply?.length ?? 0,
  );
  const commit = new GroupCommit<CommitRequest, CommitResult | null>(
    (requests) => commitCalls(sql, requests, options.quotas),
    LANES,
    ({ record, job }) => (record?.reply.length ?? 0) + (job?.result?.length ?? 0),
  );
  const end = new GroupCommit<EndRequest, EndResult>(
    (requests) => endCalls(sql, requests, fence),
    LANES,
    ({ response }) => response?.result.length ?? 0,
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
    admitCall: (request) => admit.submit(request),
    // It settles a call once, however often it is sent; after the last failure the reaper ends it.
    endCall: (request) => retryLost(() => end.submit(cleanMessage(request, seal)), { retryMs }),
    promoteCall: (request) => promote.submit(request),
    commitCall: (request) => commit.submit(cleanMessage(request, seal)),
    appendLog: (append) => log.submit(append),
    counts: () => ({
      resolve: { ...resolve.counts },
      acquire: { ...leases.counts },
      admit: { ...admit.counts },
      promote: { ...promote.counts },
      commit: { ...commit.counts },
      end: { ...end.counts },
      log: { ...log.counts },
    }),
  };
}

/** A message may repeat what a client sent. A success has none. */
function cleanMessage<Request extends Pick<EndRequest, 'id' | 'errorMessage' | 'sealsMessage'>>(
  request: Request,
  seal: Vault['seal'],
): Request {
  const { id, errorMessage, sealsMessage } = request;
  if (errorMessage === undefined) return request;
  const clean = redactAndShorten(errorMessage.replaceAll(SEAL_MARK, ''), MAX_MESSAGE_CHARS);
  return { ...request, errorMessage: sealsMessage ? sealMessage(seal, id, clean) : clean };
}

import type { Sql } from '@/db/client';
import { GroupCommit } from '../../kit/group-commit';
import { type AcquireOutcome, type AcquireRequest, acquireKey, acquireNewKeys } from './store';

const LANES = 2;

/** Acquires idempotency records for first requests, in group commits. */
export interface IdempotencyLeases {
  /** Acquires the record, or returns what prevents it. */
  acquire(request: AcquireRequest): Promise<AcquireOutcome>;
  readonly counts: { flushes: number; items: number; seconds: number };
}

export function createIdempotencyLeases(sql: Sql): IdempotencyLeases {
  const group = new GroupCommit<AcquireRequest, boolean>((requests) => acquireNewKeys(sql, requests), LANES);
  return {
    // Nearly every key is new. An existing one takes a statement of its own.
    acquire: async (request) =>
      (await group.submit(request)) ? { outcome: 'acquired' } : await acquireKey(sql, request),
    counts: group.counts,
  };
}

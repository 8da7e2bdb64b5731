import type { Sql } from '@/db/client';
import { GroupCommit } from '../../kit/group-commit';
import { type ClaimOutcome, type ClaimRequest, claimKey, claimNewKeys } from './store';

const LANES = 2;

/** Acquires idempotency records for first requests, in group commits. */
export interface KeyClaims {
  /** Acquires the record, or returns what prevents it. */
  claim(request: ClaimRequest): Promise<ClaimOutcome>;
  readonly counts: { flushes: number; items: number; seconds: number };
}

export function createKeyClaims(sql: Sql): KeyClaims {
  const group = new GroupCommit<ClaimRequest, boolean>((requests) => claimNewKeys(sql, requests), LANES);
  return {
    // Nearly every key is new. An existing one takes a statement of its own.
    claim: async (request) =>
      (await group.submit(request)) ? { outcome: 'claimed' } : await claimKey(sql, request),
    counts: group.counts,
  };
}

import type { Sql } from '@/db/client';
import { GroupCommit } from '../../kit/group-commit';
import { type ClaimOutcome, type ClaimRequest, claimKey, claimNewKeys } from './store';

const LANES = 2;

/** The group commit that first requests with an Idempotency-Key pass. */
export interface KeyClaims {
  /** Takes a key, or says what stands in the way. */
  claim(request: ClaimRequest): Promise<ClaimOutcome>;
  readonly counts: { flushes: number; items: number; seconds: number };
}

export function createKeyClaims(sql: Sql): KeyClaims {
  const group = new GroupCommit<ClaimRequest, boolean>((requests) => claimNewKeys(sql, requests), LANES);
  return {
    // Nearly every key is new; one that is not is looked at by itself.
    claim: async (request) =>
      (await group.submit(request)) ? { outcome: 'claimed' } : await claimKey(sql, request),
    counts: group.counts,
  };
}

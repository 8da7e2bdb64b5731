import { usdFromMicrousd } from '../../kit/money';
import type { ApiKey } from './schema';
import type { KeyRow } from './store';

/** Converts a key row to its public form: masked, with the remaining allowance. */
export function describeKey(row: KeyRow): ApiKey {
  const remaining =
    row.creditsMicrousd === null
      ? null
      : row.creditsMicrousd - row.creditsUsedMicrousd - row.creditsHeldMicrousd;
  return {
    id: row.id,
    name: row.name,
    key_prefix: row.mask,
    status: row.revokedAt ? 'revoked' : 'active',
    credits: remaining === null ? null : usdFromMicrousd(remaining),
    credits_used: usdFromMicrousd(row.creditsUsedMicrousd),
    manages_account: row.managesAccount && row.creditsMicrousd === null,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}

import { findSpendPeriod, NO_LIMIT } from '../../core/limits/key-rules';
import { mapWindows } from '../../core/limits/limits';
import { usdFromMicrousd } from '../../kit/money';
import { hasRules } from './resolve-keys';
import type { ApiKey } from './schema';
import type { KeyRow } from './store';

/** Converts a key row to its public form: masked, with what is left of its credit limit. */
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
    manages_account: row.managesAccount && row.creditsMicrousd === null && !hasRules(row),
    ...describeRules(row, new Date()),
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
  };
}

function describeRules(row: KeyRow, now: Date) {
  const expired = row.expiresAt !== null && row.expiresAt <= now;
  const works = row.revokedAt === null && !expired;
  const graceEnd =
    works && row.previousExpiresAt && row.previousExpiresAt > now ? row.previousExpiresAt : null;
  return {
    expires_at: row.expiresAt?.toISOString() ?? null,
    expired,
    allowed_tools: row.allowedTools,
    allowed_ips: row.allowedIps,
    spend_limit: describeSpendLimit(row, now),
    rate_limits: describeRateLimits(row),
    tags: row.tags,
    previous_secret_expires_at: graceEnd?.toISOString() ?? null,
  };
}

function describeSpendLimit(row: KeyRow, now: Date): ApiKey['spend_limit'] {
  const { spendLimitMicrousd: limit, spendPeriod, spendSince, spendMicrousd } = row;
  if (limit === null || spendPeriod === null || spendSince === null) return null;
  const { start, end } = findSpendPeriod(spendPeriod, now);
  return {
    amount_usd: usdFromMicrousd(limit),
    period: spendPeriod,
    spent_usd: usdFromMicrousd(spendSince >= start ? spendMicrousd : 0n),
    resets_at: end.toISOString(),
  };
}

function describeRateLimits({ rateLimits, concurrencyLimit }: KeyRow): ApiKey['rate_limits'] {
  if (rateLimits === null && concurrencyLimit === null) return null;
  const own = (rateLimits ?? []).map((limit) => (limit === NO_LIMIT ? null : limit));
  return {
    ...mapWindows((_, place) => own[place] ?? null),
    concurrent: concurrencyLimit,
  };
}

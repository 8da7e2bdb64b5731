import { findSpendPeriod } from '../core/limits/key-rules';
import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { listNearlySpentKeys } from '../identity/keys/list-nearly-spent';
import type { ApiKey } from '../identity/keys/schema';
import { findMemberLimit } from '../identity/teams/member-limit';
import { type Microusd, usdFromMicrousd } from '../kit/money';
import { chooseAccount } from '../money/billing/choose-account';
import { getSpendingLimit } from '../money/preferences/get-spending-limit';
import type { NearLimits } from './attention-schema';
import { MAX_NEAR_LIMITS, NEAR_LIMIT_SHARE } from './limits';
import type { UsageFilter } from './schema';

type NearLimit = NearLimits['limits'][number];

/**
 * Lists the spending limits that are nearly used up, the fullest first: of the account, of its
 * keys, and of the user in a team.
 * @throws GatewayError FORBIDDEN if the user is not a member of the team
 */
export async function getNearLimits(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: SessionActor,
  billing: UsageFilter['billing'],
): Promise<NearLimits> {
  const { id, type } = await chooseAccount(runtime, actor, billing, 'member');
  const [account, keys, member] = await Promise.all([
    getSpendingLimit(runtime, id),
    listNearlySpentKeys(runtime, id, NEAR_LIMIT_SHARE),
    type === 'team' ? findMemberLimit(runtime, id, actor.userId) : null,
  ]);
  const resetsAt = findSpendPeriod('month', runtime.ports.clock.now()).end.toISOString();
  const ofMonth = (kind: 'account' | 'member', limit: { limit: Microusd | null; spent: Microusd } | null) =>
    limit?.limit == null
      ? []
      : [
          {
            ...{ kind, key_id: null, name: null, period: 'month' as const, resets_at: resetsAt },
            spent_usd: usdFromMicrousd(limit.spent),
            limit_usd: usdFromMicrousd(limit.limit),
          },
        ];
  const share = ({ spent_usd: spent, limit_usd: limit }: NearLimit) => (limit > 0 ? spent / limit : 1);
  const limits = [
    ...ofMonth('account', account),
    ...ofMonth('member', member),
    ...keys.flatMap(listKeyLimits),
  ]
    .filter((limit) => share(limit) >= NEAR_LIMIT_SHARE)
    .sort((a, b) => share(b) - share(a));
  return { limits: limits.slice(0, MAX_NEAR_LIMITS), left_out: Math.max(0, limits.length - MAX_NEAR_LIMITS) };
}

/** The credit limit of a key, and its limit per period. */
function listKeyLimits({ id, name, credits, credits_used: used, spend_limit: limit }: ApiKey): NearLimit[] {
  const key = { kind: 'key' as const, key_id: id, name };
  const found: NearLimit[] = [];
  if (credits !== null)
    found.push({ ...key, period: null, spent_usd: used, limit_usd: addUsd(used, credits), resets_at: null });
  if (limit !== null)
    found.push({
      ...key,
      period: limit.period,
      spent_usd: limit.spent_usd,
      limit_usd: limit.amount_usd,
      resets_at: limit.resets_at,
    });
  return found;
}

/** Whole micro-dollars: `credits` is what is left of the limit. */
function addUsd(a: number, b: number): number {
  return (Math.round(a * 1e6) + Math.round(b * 1e6)) / 1e6;
}

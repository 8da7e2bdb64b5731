import { type KeyRules, limitQuotas, toQuotas } from '../../core/limits/key-rules';
import { CALL_WINDOWS } from '../../core/limits/limits';
import { callPolicies } from '../../core/limits/rate-headers';
import type { Runtime } from '../../core/runtime';
import type { SessionActor } from '../../core/trpc/actor';
import { chooseAccount } from '../../money/billing/choose-account';
import { getAccountLimits } from '../plans/get-account-limits';
import type { AccountLimits } from '../plans/schema';
import { chooseKeyAccount } from './choose-key-account';
import { describeKey } from './describe-key';
import { keyNotFound } from './key-errors';
import type { KeyLimitsInput, KeyPage } from './schema';
import { findKey, type KeyRow } from './store';
import { readKeyWindows } from './team-store';

/**
 * Returns a key with its team, and with how much is left of its rate limits and of its calls at
 * once.
 * @throws GatewayError NOT_FOUND, also for a key of someone else
 */
export async function getKeyPage(
  runtime: Pick<Runtime, 'db' | 'quotas'>,
  actor: SessionActor,
  id: string,
): Promise<KeyPage> {
  const account = await chooseKeyAccount(runtime.db, actor, id, 'view');
  const [row, windows] = await Promise.all([
    findKey(runtime.db, account.id, id),
    readKeyWindows(runtime.db, id),
  ]);
  if (!row) throw keyNotFound();
  const quotas = limitQuotas(runtime.quotas, toLimits(row));
  return {
    key: describeKey(row),
    team: account.team,
    can_change: row.kind === 'api' && account.team?.role !== 'member',
    windows: callPolicies(windows, quotas).map((policy, place) => ({
      per: CALL_WINDOWS[place]?.per ?? policy.name,
      field: CALL_WINDOWS[place]?.field ?? CALL_WINDOWS[0].field,
      limit: policy.quota,
      remaining: policy.remaining,
      reset_seconds: policy.resetSeconds,
    })),
    concurrent: {
      limit: quotas.concurrent,
      running: row.running,
      remaining: Math.max(0, quotas.concurrent - row.running),
    },
  };
}

function toLimits({ rateLimits, concurrencyLimit, accountQuotas, accountConcurrency }: KeyRow): KeyRules {
  return {
    accountQuotas: toQuotas(accountQuotas, accountConcurrency),
    expiresAt: null,
    allowedTools: null,
    networks: null,
    rateLimits: rateLimits ?? [],
    concurrencyLimit,
    spendPeriod: null,
  };
}

/**
 * The limits of a key without its own: those of its account, or of the one chosen for a new key.
 * @throws GatewayError NOT_FOUND for a key, FORBIDDEN for an account of someone else
 */
export async function getKeyLimits(
  runtime: Pick<Runtime, 'db' | 'quotas' | 'settings'>,
  actor: SessionActor,
  { id, billing }: KeyLimitsInput,
): Promise<AccountLimits> {
  const account =
    id === undefined
      ? await chooseAccount(runtime, actor, billing, 'member')
      : await chooseKeyAccount(runtime.db, actor, id, 'view');
  return await getAccountLimits(runtime, account.id);
}

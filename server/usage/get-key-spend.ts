import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { usdFromMicrousd } from '../kit/money';
import { chooseAccount } from '../money/billing/choose-account';
import { resolvePeriod } from './period';
import { findFirstHour, sumKeysOf } from './report-store';
import type { KeySpend, KeySpendInput } from './schema';
import { resolveScope } from './scope';

/**
 * What each key of an account spent in a period: a team's key charges the team, any other all
 * accounts of its owner.
 * @throws GatewayError FORBIDDEN if the user is not a member of the team
 */
export async function getKeySpend(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: SessionActor,
  { billing, period }: KeySpendInput,
): Promise<KeySpend> {
  const owner = await chooseAccount(runtime, actor, billing, 'member');
  const { accounts } = await resolveScope(
    runtime,
    actor,
    owner.type === 'team' ? { billing } : { every_account: true },
  );
  const accountIds = accounts.map(({ id }) => id);
  const first = await findFirstHour(runtime.db, accountIds);
  const span = resolvePeriod({ period }, runtime.ports.clock.now(), first);
  const rows = await sumKeysOf(runtime.db, { ownerId: owner.id, accountIds }, span);
  return {
    from: span.from.toISOString(),
    keys: rows.map(({ key_id, calls, cost }) => ({ key_id, calls, cost_usd: usdFromMicrousd(cost) })),
  };
}

import type { Runtime } from '../core/runtime';
import type { SessionActor } from '../core/trpc/actor';
import { usdFromMicrousd } from '../kit/money';
import { chooseAccount } from '../money/billing/choose-account';
import { resolvePeriod } from './period';
import type { UsageOverview } from './schema';
import { findSteps, sumUsageOverview } from './usage-overview-store';

/**
 * Sums spend and calls of the last 24 hours, 7 and 30 days, and returns which onboarding steps are
 * done.
 * @throws GatewayError FORBIDDEN if the user is not a member of the team
 */
export async function getUsageOverview(
  runtime: Pick<Runtime, 'db' | 'ports'>,
  actor: SessionActor,
  billing: string | undefined,
): Promise<UsageOverview> {
  const account = await chooseAccount(runtime, actor, billing, 'member');
  const now = runtime.ports.clock.now();
  const start = (period: '24h' | '7d' | '30d') => resolvePeriod({ period }, now, null).from;
  const [sums, steps] = await Promise.all([
    sumUsageOverview(runtime.db, account.id, { day: start('24h'), week: start('7d'), month: start('30d') }),
    findSteps(runtime.db, actor.accountId, account.id),
  ]);
  const sum = ({ calls, failed, cost }: { calls: number; failed: number; cost: bigint }) => ({
    calls,
    failed,
    cost_usd: usdFromMicrousd(cost),
  });
  return { day: sum(sums.day), week: sum(sums.week), month: sum(sums.month), ...steps };
}

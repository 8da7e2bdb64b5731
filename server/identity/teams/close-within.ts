import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { formatUsd } from '../../kit/money';
import { refuseUnsettled } from '../../money/billing/refuse-unsettled';
import { forgetCard } from '../../money/payments/forget-card';
import { revokeAllOf } from './invitation-store';
import type { LockedAccount } from './lock-team';
import { refused } from './refusal';
import { closeTeam, hasOpenOrder } from './store';

/**
 * Closes a locked team within the transaction of a larger act. Its books stay, and its slug stays
 * taken, so that no agent that still names it ever charges another team.
 * @throws GatewayError FORBIDDEN while anything is unsettled: credit, debt, running calls, a
 *   dispute, an unfinished payment, or a freeze by the operator
 */
export async function closeWithin(tx: Executor, by: string, team: LockedAccount): Promise<void> {
  refuseUnsettled(team, team.name);
  const { name, balanceMicrousd: balance, heldMicrousd: held } = team;
  if (held > 0n) throw refused(`Calls that ${name} pays for are running.`, 'Try again when they have ended.');
  if (balance > 0n)
    throw refused(
      `${name} still has ${formatUsd(balance)} of credit.`,
      'Spend it, or hand the team over to someone who does: credit is not moved or paid out.',
    );
  if (await hasOpenOrder(tx, team.id))
    throw refused(
      `A payment for ${name} is not finished.`,
      'Finish it, or wait until it expires, a day at most.',
    );
  await revokeAllOf(tx, team.id);
  await closeTeam(tx, team.id);
  await forgetCard(tx, team.id);
  await writeAudit(tx, {
    actor: by,
    action: 'team.delete',
    accountId: team.id,
    details: { slug: team.slug },
  });
}

import type { Executor } from '@/db/client';
import { writeAudit } from '../../core/audit/audit';
import { formatUsd } from '../../kit/money';
import { requireClosable } from '../../money/billing/require-closable';
import { forgetDetails } from '../../money/invoices/forget-details';
import { forgetCard } from '../../money/payments/forget-card';
import { deleteContent } from '../accounts/delete-content';
import { revokeKeysOf } from '../keys/own-keys';
import { revokeTeamInvitations } from './invitation-store';
import type { LockedAccount } from './lock-team';
import { refused } from './refusal';
import { closeTeam, hasOpenOrder } from './store';

/**
 * Closes a locked team in the caller's transaction, which has locked its keys before: they are
 * revoked, and what their calls wrote is deleted. Its ledger stays, and its slug stays reserved, so
 * that an agent that still uses the slug never charges another team.
 * @throws GatewayError FORBIDDEN while it has credit, debt, running calls, a dispute or an
 *   unfinished payment, or is frozen
 */
export async function closeLockedTeam(tx: Executor, by: string, team: LockedAccount): Promise<void> {
  requireClosable(team, team.name);
  const { name, balanceMicrousd: balance, heldMicrousd: held } = team;
  if (held > 0n)
    throw refused(`Calls charged to ${name} are still running.`, 'Try again when they have finished.');
  if (balance > 0n)
    throw refused(
      `${name} still has ${formatUsd(balance)} in credit.`,
      'Spend it, or transfer ownership to someone who will: credit cannot be moved or paid out.',
    );
  if (await hasOpenOrder(tx, team.id))
    throw refused(
      `A payment for ${name} is not finished.`,
      'Complete it, or wait until it expires, within a day.',
    );
  await revokeTeamInvitations(tx, team.id);
  await revokeKeysOf(tx, team.id);
  await deleteContent(tx, team.id);
  await closeTeam(tx, team.id);
  await forgetCard(tx, team.id);
  await forgetDetails(tx, team.id);
  await writeAudit(tx, {
    actor: by,
    action: 'team.delete',
    accountId: team.id,
    details: { slug: team.slug },
  });
}

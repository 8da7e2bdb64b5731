import type { Executor } from '@/db/client';
import { writeAudit } from '../accounts/audit';
import { formatUsd } from '../billing/money';
import { revokeAllOf } from './invitation-store';
import type { LockedAccount } from './lock-team';
import { refused } from './refusal';
import { closeTeam, hasOpenOrder } from './store';

/**
 * Closes a locked team within the transaction of a larger act: nothing charges it any more. Its books stay, and its slug
 * stays taken, so that no agent that still names it ever charges another team.
 * @throws GatewayError FORBIDDEN while it has credit, debt, running calls or an unfinished payment, or is frozen
 */
export async function closeWithin(tx: Executor, by: string, team: LockedAccount): Promise<void> {
  const left = await whatIsLeft(tx, team);
  if (left) throw refused(left.message, left.hint);
  await revokeAllOf(tx, team.id);
  await closeTeam(tx, team.id);
  await writeAudit(tx, {
    actor: by,
    action: 'team.delete',
    accountId: team.id,
    details: { slug: team.slug },
  });
}

async function whatIsLeft(tx: Executor, team: LockedAccount) {
  const { name, balanceMicrousd: balance, heldMicrousd: held, debtMicrousd: debt } = team;
  if (team.frozenAt) return { message: `${name} is frozen.`, hint: 'Ask the operator of this gateway.' };
  if (held > 0n)
    return { message: `Calls that ${name} pays for are running.`, hint: 'Try again when they have ended.' };
  if (team.disputedAt)
    return { message: `A payment for ${name} is disputed.`, hint: 'Wait until it is decided.' };
  if (debt > 0n)
    return {
      message: `${name} owes ${formatUsd(debt)}.`,
      hint: 'Buy credit for it: that pays the debt first.',
    };
  if (balance > 0n)
    return {
      message: `${name} still has ${formatUsd(balance)} of credit.`,
      hint: 'Spend it, or hand the team over to someone who does. Credit is not moved or paid out.',
    };
  if (await hasOpenOrder(tx, team.id))
    return {
      message: `A payment for ${name} is not finished.`,
      hint: 'Finish it, or wait until it expires, a day at most.',
    };
  return null;
}

import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import type { SessionActor } from '../../core/trpc/actor';
import { lockAccounts } from '../../money/billing/ledger';
import { maskEmail } from './invitation';
import { findInvitationByHash, type InvitationRow } from './invitation-store';
import { hashInvitationToken } from './invitation-token';
import { refused } from './refusal';
import { findPerson } from './store';

/** An invitation that stands still, with its team, while the invited person answers it. */
export interface LockedInvitation {
  invitation: InvitationRow;
  /** Its team's account. */
  team: Awaited<ReturnType<typeof lockAccounts>>[number];
}

/**
 * Locks the team of an invitation and the account of who answers it, and looks only then what it says.
 * @throws GatewayError NOT_FOUND for an unknown token, FORBIDDEN where it is for another address
 */
export async function lockInvitation(
  tx: Executor,
  actor: SessionActor,
  token: string,
): Promise<LockedInvitation> {
  const hash = hashInvitationToken(token);
  const found = await findInvitationByHash(tx, hash);
  if (!found) throw unknownInvitation();
  const locked = await lockAccounts(tx, [found.account_id, actor.accountId]);
  const team = locked.find((account) => account.id === found.account_id);
  const own = locked.find((account) => account.id === actor.accountId);
  if (!own || own.closedAt) throw new GatewayError('AUTH_REQUIRED');
  // It may have been renewed, with another token, while the lock was waited for.
  const invitation = await findInvitationByHash(tx, hash);
  if (!invitation || !team) throw unknownInvitation();
  const person = await findPerson(tx, actor.userId);
  if (person?.email !== invitation.email)
    throw refused(
      `This invitation is for ${maskEmail(invitation.email)}; you are signed in as ${person?.email}.`,
      'Sign in with the address that was invited, or ask to be invited with yours.',
    );
  return { invitation, team };
}

function unknownInvitation(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'There is no such invitation.',
    hint: 'Open the link of the newest mail, or ask to be invited again.',
  });
}

import type { Executor } from '@/db/client';
import { GatewayError } from '../../core/errors/gateway-error';
import type { SessionActor } from '../../core/trpc/actor';
import { lockAccounts } from '../../money/billing/ledger';
import { maskEmail } from './invitation';
import { findInvitationByHash, type InvitationRow } from './invitation-store';
import { hashInvitationToken } from './invitation-token';
import { refused } from './refusal';
import { findPerson } from './store';

/** An invitation whose team is locked while the invited person responds. */
export interface LockedInvitation {
  invitation: InvitationRow;
  /** The team's account. */
  team: Awaited<ReturnType<typeof lockAccounts>>[number];
}

/**
 * Locks the invitation's team and the responder's account, then reads the invitation.
 * @throws GatewayError NOT_FOUND for an unknown token; FORBIDDEN if it is for another address
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
  // It may have been renewed with another token while this waited for the lock.
  const invitation = await findInvitationByHash(tx, hash);
  if (!invitation || !team) throw unknownInvitation();
  const person = await findPerson(tx, actor.userId);
  if (person?.email !== invitation.email)
    throw refused(
      `This invitation is for ${maskEmail(invitation.email)}; you are signed in as ${person?.email}.`,
      'Sign in with the invited address, or ask for an invitation to yours.',
    );
  return { invitation, team };
}

function unknownInvitation(): GatewayError {
  return new GatewayError('NOT_FOUND', {
    message: 'There is no such invitation.',
    hint: 'Open the link in the newest email, or ask for a new invitation.',
  });
}

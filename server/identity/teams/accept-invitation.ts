import { writeAudit } from '../../core/audit/audit';
import { GatewayError } from '../../core/errors/gateway-error';
import type { Runtime } from '../../core/runtime';
import { actorName, type SessionActor } from '../../core/trpc/actor';
import { getInvitationState } from './invitation';
import { markAccepted } from './invitation-store';
import { MAX_MEMBERS } from './invite-member';
import { lockInvitation } from './lock-invitation';
import { refused, refuseFrozen } from './refusal';
import type { JoinedTeam } from './schema';
import { countMembers, findRole, insertMember } from './store';

const ENDED = {
  used: 'This invitation has already been used.',
  revoked: 'This invitation was revoked.',
  expired: 'This invitation has expired.',
} as const;

/**
 * Makes the invited person a member. Works once; a member who repeats it gets the same response.
 * @throws GatewayError NOT_FOUND for an unknown token; INVALID_INPUT if the invitation is no longer
 *   open; FORBIDDEN if it is for another address or the team is full
 */
export async function acceptInvitation(
  runtime: Pick<Runtime, 'db'>,
  actor: SessionActor,
  token: string,
): Promise<JoinedTeam> {
  refuseFrozen(actor);
  return await runtime.db.transaction(async (tx) => {
    const { invitation, team } = await lockInvitation(tx, actor, token);
    const { team_slug: slug, team_name: name } = invitation;
    const state = getInvitationState(invitation);
    const before = team.closedAt ? null : await findRole(tx, team.id, actor.userId);
    if (state === 'used' && before) return { slug, name, role: before };
    if (state !== 'open')
      throw new GatewayError('INVALID_INPUT', { message: ENDED[state], hint: 'Ask for a new invitation.' });
    if (!before && (await countMembers(tx, team.id)) >= MAX_MEMBERS)
      throw refused(
        `The team already has ${MAX_MEMBERS} members, the maximum.`,
        'Ask the person who invited you.',
      );
    await insertMember(tx, { accountId: team.id, userId: actor.userId, role: invitation.role });
    await markAccepted(tx, invitation.id);
    await writeAudit(tx, {
      actor: actorName(actor),
      action: 'team.join',
      accountId: team.id,
      target: invitation.id,
      details: { role: before ?? invitation.role },
    });
    return { slug, name, role: before ?? invitation.role };
  });
}

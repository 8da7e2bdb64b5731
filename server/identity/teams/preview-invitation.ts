import type { RequestContext } from '../../core/trpc/context';
import { resolveActor } from '../sessions/resolve-actor';
import { getDisplayName, getInvitationState, maskEmail } from './invitation';
import { findInvitationByHash } from './invitation-store';
import { hashInvitationToken } from './invitation-token';
import type { InvitationPreview } from './schema';
import { findPerson, findRole } from './store';

const UNKNOWN: InvitationPreview = {
  state: 'unknown',
  team_name: null,
  team_slug: null,
  inviter: null,
  role: null,
  email: null,
  is_yours: false,
  expires_at: null,
};

/** Describes an invitation to anyone with its token, signed in or not. Changes nothing. */
export async function previewInvitation(context: RequestContext, token: string): Promise<InvitationPreview> {
  const { db } = context.runtime;
  const row = await findInvitationByHash(db, hashInvitationToken(token));
  if (!row) return UNKNOWN;
  const viewer =
    context.credentials.kind === 'session' ? await resolveActor(context, true).catch(() => null) : null;
  const userId = viewer?.kind === 'session' ? viewer.userId : null;
  const person = userId ? await findPerson(db, userId) : null;
  const isYours = person?.email === row.email;
  const isMember = userId !== null && !row.team_closed && (await findRole(db, row.account_id, userId));
  return {
    state: getInvitationState(row),
    team_name: row.team_name,
    team_slug: isMember ? row.team_slug : null,
    inviter: getDisplayName(row.inviter_name, row.inviter_email),
    role: row.role,
    email: isYours ? row.email : maskEmail(row.email),
    is_yours: isYours,
    expires_at: new Date(row.expires_ms).toISOString(),
  };
}

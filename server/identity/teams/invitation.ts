import type { InvitationRow } from './invitation-store';
import type { InvitationPreview, TeamInvitation } from './schema';

/** How long an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/** Returns an invitation's state; one of a closed team counts as revoked. */
export function getInvitationState(
  row: Pick<InvitationRow, 'accepted' | 'revoked' | 'expired' | 'team_closed'>,
): Exclude<InvitationPreview['state'], 'unknown'> {
  if (row.accepted) return 'used';
  if (row.revoked || row.team_closed) return 'revoked';
  return row.expired ? 'expired' : 'open';
}

/** Masks an address as `a•••@example.com`, enough for its owner to recognize it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}

/** Returns a person's name or address for display; null if their account was deleted. */
export function getDisplayName(name: string | null, email: string | null): string | null {
  return name ?? (email?.endsWith('@deleted.invalid') ? null : email);
}

/** Describes an unanswered invitation for the team's owner and admins. */
export function describeInvitation(row: InvitationRow): TeamInvitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invited_by: getDisplayName(row.inviter_name, row.inviter_email),
    sent_at: new Date(row.sent_ms).toISOString(),
    expires_at: new Date(row.expires_ms).toISOString(),
    expired: row.expired,
  };
}

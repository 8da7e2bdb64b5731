import type { InvitationRow } from './invitation-store';
import type { InvitationPreview, TeamInvitation } from './schema';

/** How long an invitation can be accepted. */
export const INVITATION_DAYS = 7;

/** What has become of an invitation; that of a team that is gone is as good as taken back. */
export function stateOf(
  row: Pick<InvitationRow, 'accepted' | 'revoked' | 'expired' | 'team_closed'>,
): Exclude<InvitationPreview['state'], 'unknown'> {
  if (row.accepted) return 'used';
  if (row.revoked || row.team_closed) return 'revoked';
  return row.expired ? 'expired' : 'open';
}

/** `a•••@example.com`: enough to know one's own again. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}

/** How a person is shown to others; null where their account is gone. */
export function shownName(name: string | null, email: string | null): string | null {
  return name ?? (email?.endsWith('@deleted.invalid') ? null : email);
}

/** An unanswered invitation, for those who may take it back. */
export function describeInvitation(row: InvitationRow): TeamInvitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role,
    invited_by: shownName(row.inviter_name, row.inviter_email),
    sent_at: new Date(row.sent_ms).toISOString(),
    expires_at: new Date(row.expires_ms).toISOString(),
    expired: row.expired,
  };
}
